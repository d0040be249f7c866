// The announcement that access has changed, and the check of whom it concerns.
import type { Announcements } from '../../bus/announcements.ts';

/** Whose access changed: that of a user, a session, an API key, or all members and keys of a license. */
export interface AccessChange {
  api_key_id?: string;
  user_id?: string;
  session_id?: string;
  license_id?: string;
}

export type AccessChanges = Announcements<AccessChange>;

/** The ids of a holder of access, as many as apply. */
export interface Holder {
  userId: string;
  licenseId: string | null;
  sessionId?: string;
  apiKeyId?: string;
}

/** Whether a change of access may concern the holder of these ids. */
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
