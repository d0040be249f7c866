// The file name of a map on game hosts and in URLs, reduced to ASCII letters, digits and hyphens.

const maxStemLength = 60;

/** Unique for each map, since it ends with the first characters of the content's hash. */
export function fileNameOf({ name, sha256 }: { name: string; sha256: string }): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxStemLength)
    .replace(/^-+|-+$/g, '');
  return `${plain === '' ? 'map' : plain}-${sha256.slice(0, 12)}.map`;
}
