// Why a connection failed, in words that say what to look at.

/** What OpenSSL says of a certificate whose authority it does not know. */
const isOfUnknownAuthority = /self-signed certificate|unable to verify|unable to get .*issuer/i;

const advice = 'for an authority of your own, set NODE_EXTRA_CA_CERTS to the file with its certificate';

/** The reason that the system gave, and for certificates what to do. */
export function causeOf(error: unknown): string {
  const reason = reasonOf(error);
  return isOfUnknownAuthority.test(reason) ? `${reason}; ${advice}` : reason;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error && error.cause.message !== '') return error.cause.message;
  return error.message;
}
