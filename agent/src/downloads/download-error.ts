// Why a file could not be got, in words for people.

/** Trying again would change nothing. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** The other side could not be reached, or the connection broke: it may work the next time. */
export class BrokenDownload extends Error {
  override readonly name = 'BrokenDownload';
}
