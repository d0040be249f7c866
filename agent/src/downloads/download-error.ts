// Errors of a failed download, with messages for operators.

/** Permanent: a retry would fail again. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** Temporary: the server could not be reached or the connection broke, so a retry may succeed. */
export class BrokenDownload extends Error {
  override readonly name = 'BrokenDownload';
}
