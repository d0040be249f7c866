// Looks up what a session may do now, regardless of its token's claims, and caches it for 2.5 s.
import { LRUCache } from 'lru-cache';
import type { SessionPrincipal } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { unauthorized } from '../../errors.ts';
import { permissionsOfRole } from '../permissions/permission-map.ts';
import { concerns, type AccessChange, type AccessChanges } from './access-changes.ts';

/** Changes are announced over the bus. If an announcement is lost, a cached entry is stale for at most this long. */
const rememberedMs = 2_500;

interface Entry {
  principal: Promise<SessionPrincipal>;
  userId: string;
  sessionId: string;
  licenseId: string | null;
}

export interface SessionClaims {
  sub: string;
  sid: string;
  license_id: string | null;
}

export class Principals {
  readonly #platform: PlatformScope;
  readonly #entries = new LRUCache<string, Entry>({ max: 10_000, ttl: rememberedMs });

  constructor(platform: PlatformScope, changes: AccessChanges) {
    this.#platform = platform;
    changes.on((change) => this.#forget(change));
  }

  /** Returns the current principal of the claims. Throws when the session, the user or the membership is gone. */
  find(claims: SessionClaims): Promise<SessionPrincipal> {
    const key = `${claims.sub} ${claims.sid} ${claims.license_id ?? ''}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known.principal;
    const entry: Entry = {
      principal: this.#load(claims),
      userId: claims.sub,
      sessionId: claims.sid,
      licenseId: claims.license_id,
    };
    this.#entries.set(key, entry);
    entry.principal.catch(() => {
      if (this.#entries.peek(key) === entry) this.#entries.delete(key);
    });
    return entry.principal;
  }

  #forget(change: AccessChange): void {
    for (const [key, entry] of this.#entries.entries()) {
      if (concerns(change, entry)) this.#entries.delete(key);
    }
  }

  async #load({ sub, sid, license_id }: SessionClaims): Promise<SessionPrincipal> {
    const row = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('user_session as session')
        .innerJoin('user_account as user', 'user.id', 'session.user_id')
        .leftJoin('membership', (join) =>
          join.onRef('membership.user_id', '=', 'user.id').on('membership.license_id', '=', license_id),
        )
        .leftJoin('role', 'role.id', 'membership.role_id')
        .leftJoin('license', 'license.id', 'membership.license_id')
        .select([
          'user.email',
          'user.is_super_admin',
          'license.id as license_id',
          'license.status as license_status',
          'role.name as role',
          'role.is_system',
          'role.permissions',
        ])
        .where('session.id', '=', sid)
        .where('session.user_id', '=', sub)
        .where('session.ended_at', 'is', null)
        .where('user.is_disabled', '=', false)
        .executeTakeFirst(),
    );
    if (row === undefined) throw unauthorized();
    if (license_id !== null && row.license_id === null) throw unauthorized();
    return {
      kind: 'user',
      actor: { kind: 'user', id: sub, label: row.email },
      userId: sub,
      email: row.email,
      sessionId: sid,
      isSuperAdmin: row.is_super_admin,
      license:
        row.license_id === null || row.role === null
          ? null
          : {
              id: row.license_id,
              role: row.role,
              permissions: permissionsOfRole({ ...row, name: row.role }),
              isRevoked: row.license_status === 'revoked',
            },
    };
  }
}
