// Cursors: a position in a list as one opaque text for URLs.

export const encodeCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** Returns undefined unless `encodeCursor` makes exactly this cursor; base64 alone ignores what follows the text. */
export function decodeCursor(cursor: string): string | undefined {
  const position = Buffer.from(cursor, 'base64url').toString();
  return encodeCursor(position) === cursor ? position : undefined;
}
