// Text colours for previews, as the store's pages choose them: the seller's where it can be read, else black or white.
const minContrast = 4.5;

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text);

export function textOn(background: string, wanted: string): string {
  return contrast(background, wanted) >= minContrast ? wanted : readableOn(background);
}

export const readableOn = (background: string): string =>
  contrast(background, '#ffffff') > contrast(background, '#000000') ? '#ffffff' : '#000000';

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const value = Number.parseInt(color.slice(1), 16);
  const [red = 0, green = 0, blue = 0] = [value >> 16, value >> 8, value].map((channel) => {
    const share = (channel & 255) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
