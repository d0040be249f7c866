// Inspects a self-hosting token as far as possible; only the vendor can verify it.
import { fieldsOf, jsonOf, numberOf, textOf } from '../parsing.ts';
import { refusal } from '../refusals.ts';

/** The host id in the token; throws a refusal if it has none or has expired. */
export function hostIdOf(token: string): string {
  const [, payload = ''] = token.split('.');
  const fields = fieldsOf(jsonOf(Buffer.from(payload, 'base64url').toString('utf8')));
  const hostId = textOf(fields['HostId']);
  if (hostId === null)
    throw refusal('invalid_token', 'That is no self-hosting token: it names no host. Copy it whole.');
  const expires = numberOf(fields['exp']);
  if (expires !== null && expires * 1000 < Date.now())
    throw refusal('invalid_token', 'The token has expired: get another one at account.duneawakening.com.');
  return hostId.toLowerCase();
}
