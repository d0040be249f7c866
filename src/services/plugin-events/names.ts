// Sanitises player names for storage and display.

const most = 64;
/** Control characters, line ends, invisible characters, and characters that change the text direction. */
const hidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Returns the visible part of the name, or `instead` if nothing visible is left. */
export function visibleName(name: string, instead: string): string {
  const visible = [...name.replace(hidden, '').trim()].slice(0, most).join('').trimEnd();
  return visible === '' ? instead : visible;
}
