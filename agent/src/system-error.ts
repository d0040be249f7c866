// Recognises the errors of the operating system by their codes.

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
