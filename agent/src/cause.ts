// Describes why a connection failed, with advice for the operator.

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
