// Ends sessions at once: their tokens, and the consoles that they have open, here and on other replicas.
import type { EntityManager } from '../../database/connection.ts';
import { PasswordToken, SignInChallenge, UserSession } from '../../entities/index.ts';
import type { AccessChanges } from './access-changes.ts';

/** Ends the user's sessions, but not the one that is excepted, and the sign-ins that are under way. */
export async function endSessions(
  em: EntityManager,
  changes: AccessChanges,
  userId: string,
  { except }: { except?: string } = {},
): Promise<void> {
  await em.nativeUpdate(
    UserSession,
    { userId, endedAt: null, ...(except !== undefined && { id: { $ne: except } }) },
    { endedAt: new Date() },
  );
  await em.nativeDelete(SignInChallenge, { userId });
  changes.announce({ user_id: userId });
}

/** Makes the links worthless that let their holder choose the user's password. */
export async function endPasswordTokens(em: EntityManager, userId: string): Promise<void> {
  await em.nativeDelete(PasswordToken, { userId });
}
