// What the file of a map is called on game hosts and in addresses: what was chosen comes in only as plain letters.

const longestStem = 60;

/** Two maps never share it, since it ends with the beginning of the content's hash. */
export function fileNameOf({ name, sha256 }: { name: string; sha256: string }): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestStem)
    .replace(/^-+|-+$/g, '');
  return `${plain === '' ? 'map' : plain}-${sha256.slice(0, 12)}.map`;
}
