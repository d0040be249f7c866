// The colours of a store's pages: the owner's choice, adjusted as far as legibility requires.
import type { Schemas } from '../../platform-contract/types.ts';

type Theme = Schemas['StoreTheme'];

export interface Palette {
  scheme: 'light' | 'dark';
  background: string;
  /** Boxes on the background. */
  card: string;
  /** Borders of boxes, which need no minimum contrast. */
  line: string;
  text: string;
  /** Secondary text. */
  dim: string;
  link: string;
  button: string;
  onButton: string;
  /** Distinguishes a button from its card. */
  buttonEdge: string;
}

type Colour = readonly [red: number, green: number, blue: number];

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];

/** Minimum contrast for text and for other elements, by WCAG 2.2, level AA. */
const minTextContrast = 4.5;
const minShapeContrast = 3;

export function paletteOf({ accent, background, text }: Theme): Palette {
  const back = colourOf(background);
  const button = colourOf(accent);
  const chosen = colourOf(text);
  const written = contrast(back, chosen) >= minTextContrast ? chosen : readableOn(back);
  const raised = mixed(back, written, 0.06);
  const card = contrast(raised, written) >= minTextContrast ? raised : back;
  const canBeRead = (colour: Colour) =>
    [back, card].every((behind) => contrast(behind, colour) >= minTextContrast);
  const dim = mixed(written, back, 0.3);
  return {
    scheme: contrast(back, white) > contrast(back, black) ? 'dark' : 'light',
    background: textOf(back),
    card: textOf(card),
    line: textOf(mixed(back, written, 0.2)),
    text: textOf(written),
    dim: textOf(canBeRead(dim) ? dim : written),
    link: textOf(canBeRead(button) ? button : written),
    button: textOf(button),
    onButton: textOf(readableOn(button)),
    buttonEdge: textOf(contrast(button, card) >= minShapeContrast ? button : written),
  };
}

/** The contrast ratio of two colours by WCAG 2.2: from 1 for equal colours to 21 for black on white. */
export function contrastOf(one: string, other: string): number {
  return contrast(colourOf(one), colourOf(other));
}

function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever is legible; one of them is on every colour. */
const readableOn = (colour: Colour): Colour =>
  contrast(colour, white) > contrast(colour, black) ? white : black;

const mixed = (one: Colour, other: Colour, share: number): Colour => {
  const part = (index: 0 | 1 | 2) => Math.round(one[index] * (1 - share) + other[index] * share);
  return [part(0), part(1), part(2)];
};

function colourOf(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const textOf = (colour: Colour) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
