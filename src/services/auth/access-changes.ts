// The news that somebody's access has changed, and whom it concerns.
import type { Announcements } from '../../bus/announcements.ts';

/** Whose access changed: a user's, one session's, one API key's, or everybody's in a license. */
export interface AccessChange {
  api_key_id?: string;
  user_id?: string;
  session_id?: string;
  license_id?: string;
}

export type AccessChanges = Announcements<AccessChange>;

/** Whose access it may be: as many of these ids as somebody has. */
export interface Holder {
  userId: string;
  licenseId: string | null;
  sessionId?: string;
  apiKeyId?: string;
}

/** Whether a change of access may concern whoever has these ids. */
export function concerns(
  { user_id, license_id, session_id, api_key_id }: AccessChange,
  { userId, licenseId, sessionId, apiKeyId }: Holder,
): boolean {
  return (
    user_id === userId ||
    (license_id !== undefined && license_id === licenseId) ||
    (session_id !== undefined && session_id === sessionId) ||
    (api_key_id !== undefined && api_key_id === apiKeyId)
  );
}
