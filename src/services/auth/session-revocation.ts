// Ends sessions immediately: their tokens and their open consoles, here and on other replicas.
import type { EntityManager } from '../../database/connection.ts';
import { PasswordToken, SignInChallenge, UserSession } from '../../entities/index.ts';
import type { AccessChanges } from './access-changes.ts';

/** Ends the user's sessions, except the given one, and cancels their pending sign-ins. */
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

/** Invalidates the links that let their holder choose the user's password. */
export async function endPasswordTokens(em: EntityManager, userId: string): Promise<void> {
  await em.nativeDelete(PasswordToken, { userId });
}
