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

/** Whether a change of access may concern whoever has these ids. */
export function concerns(
  change: AccessChange,
  holder: { userId: string; sessionId: string; licenseId: string | null },
): boolean {
  return (
    change.user_id === holder.userId ||
    change.session_id === holder.sessionId ||
    (change.license_id !== undefined && change.license_id === holder.licenseId)
  );
}
