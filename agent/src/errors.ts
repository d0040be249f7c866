// Recognises the errors of the operating system and describes failures for the operator.

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** The disk or the user's quota is full. */
export function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');
}

export class SettingError extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim());
    this.name = 'SettingError';
  }
}

/** Matches OpenSSL's errors for a certificate of an unknown authority. */
const isOfUnknownAuthority = /self-signed certificate|unable to verify|unable to get .*issuer/i;

const advice = 'for an authority of your own, set NODE_EXTRA_CA_CERTS to the file with its certificate';

/** Returns the system's reason, with advice for certificate errors. */
export function causeOf(error: unknown): string {
  const reason = reasonOf(error);
  return isOfUnknownAuthority.test(reason) ? `${reason}; ${advice}` : reason;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error && error.cause.message !== '') return error.cause.message;
  return error.message;
}

/** Permanent: a retry would fail again. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** Temporary: the server could not be reached or the connection broke, so a retry may succeed. */
export class BrokenDownload extends Error {
  override readonly name: string = 'BrokenDownload';
}

/** Temporary: the server has named the time after which to try again. */
export class BusyDownload extends BrokenDownload {
  override readonly name = 'BusyDownload';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
