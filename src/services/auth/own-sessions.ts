// The caller's own sessions: lists them and ends them.
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import { UserSession } from '../../entities/index.ts';
import { notFound } from '../../errors.ts';
import { byId, pageOf } from '../../lists/page.ts';
import type { AccessChanges } from './access-changes.ts';
import { endSessions } from './session-revocation.ts';

export type SessionRow = Awaited<ReturnType<OwnSessions['list']>>['rows'][number];

export class OwnSessions {
  readonly #platform: PlatformScope;
  readonly #changes: AccessChanges;

  constructor(platform: PlatformScope, changes: AccessChanges) {
    this.#platform = platform;
    this.#changes = changes;
  }

  async list(ctx: Ctx, query: Query<'listSessions'>) {
    return this.#platform.read('sign-in', (queries) =>
      pageOf(liveSessions(queries, ctx.user.userId), query, byId('id', 'desc')),
    );
  }

  async end(ctx: Ctx, id: string): Promise<void> {
    const { userId } = ctx.user;
    await this.#platform.transact('sign-in', async (em) => {
      const ended = await em.nativeUpdate(
        UserSession,
        { id, userId, endedAt: null },
        { endedAt: new Date() },
      );
      if (ended === 0) throw notFound('session');
      this.#changes.announce({ session_id: id });
    });
  }

  async endOthers(ctx: Ctx): Promise<void> {
    const { userId, sessionId } = ctx.user;
    await this.#platform.transact('sign-in', (em) =>
      endSessions(em, this.#changes, userId, { except: sessionId }),
    );
  }
}

/** Sessions that were not ended and still have a usable refresh token. */
function liveSessions(queries: Queries, userId: string) {
  return queries
    .selectFrom('user_session as session')
    .select(['id', 'created_at', 'last_used_at', 'source', 'user_agent', 'working_license_id'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('refresh_token as token')
          .select('token.session_id')
          .whereRef('token.session_id', '=', 'session.id')
          .where('token.used_at', 'is', null)
          .where('token.expires_at', '>', new Date().toISOString()),
      ),
    );
}
