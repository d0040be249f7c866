// An access token with what the panel reads from it; the platform alone decides whether it is valid.
import type { components } from '../../../generated/platform.d.ts';

export type Schemas = components['schemas'];

/** The fields that every operation returning an access token has in common. */
export interface TokenReply {
  access_token: string;
  expires_in: number;
  license_id: string | null;
}

export interface AccessToken {
  value: string;
  /** By this machine's clock, in milliseconds of Unix time. */
  expiresAt: number;
  licenseId: string | null;
  userId: string;
}

/** A token that expires sooner is renewed before it is sent. */
const renewAheadMs = 30_000;

export function tokenOf({ access_token, expires_in, license_id }: TokenReply): AccessToken {
  return {
    value: access_token,
    expiresAt: Date.now() + expires_in * 1000,
    licenseId: license_id,
    userId: subjectOf(access_token),
  };
}

export const isFresh = ({ expiresAt }: AccessToken): boolean => expiresAt - Date.now() > renewAheadMs;

function subjectOf(jwt: string): string {
  const payload = jwt.split('.')[1] ?? '';
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: string };
  return claims.sub ?? '';
}
