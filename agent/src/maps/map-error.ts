// Why the file of a map could not be got, in words for people.

/** Trying again would change nothing. */
export class MapError extends Error {
  override readonly name = 'MapError';
}

/** The platform could not be reached, or the connection broke: it may work the next time. */
export class BrokenDownload extends Error {
  override readonly name = 'BrokenDownload';
}
