// Looks up what a session may do now, regardless of its token's claims, and caches it for 2.5 s.
import { sql } from 'kysely';
import { growingCache } from '../../process/growing-cache.ts';
import type { SessionPrincipal } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { isRefusal, unauthorized } from '../../errors.ts';
import { permissionsOfRole } from './role-permissions.ts';
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
  readonly #entries = growingCache<Entry>({ maxEntries: 10_000, ttl: rememberedMs });

  constructor(platform: PlatformScope, changes: AccessChanges) {
    this.#platform = platform;
    changes.on((change) => this.#forget(change));
  }

  /** Returns the current principal of the claims. Throws when the session, the user or the membership is gone. */
  find(claims: SessionClaims): Promise<SessionPrincipal> {
    return this.#known(claims) ?? this.#remember(claims, this.#load([claims]));
  }

  /** The same for many, in one query; undefined for those who are gone. */
  findAll(all: readonly SessionClaims[]): Promise<(SessionPrincipal | undefined)[]> {
    const found = new Map<string, Promise<SessionPrincipal>>();
    const unknown: SessionClaims[] = [];
    for (const [key, claims] of new Map(all.map((claims) => [keyOf(claims), claims]))) {
      const known = this.#known(claims);
      if (known === undefined) unknown.push(claims);
      else found.set(key, known);
    }
    if (unknown.length > 0) {
      const loading = this.#load(unknown);
      for (const claims of unknown) found.set(keyOf(claims), this.#remember(claims, loading));
    }
    return Promise.all(all.map(async (claims) => found.get(keyOf(claims))?.catch(undefinedIfGone)));
  }

  #known(claims: SessionClaims): Promise<SessionPrincipal> | undefined {
    return this.#entries.get(keyOf(claims))?.principal;
  }

  #remember(
    claims: SessionClaims,
    loading: Promise<ReadonlyMap<string, SessionPrincipal>>,
  ): Promise<SessionPrincipal> {
    const key = keyOf(claims);
    const entry: Entry = {
      principal: loading.then((found) => {
        const principal = found.get(key);
        if (principal === undefined) throw unauthorized();
        return principal;
      }),
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

  /** The principals by the keys of their claims, without those who are gone. */
  async #load(all: readonly SessionClaims[]): Promise<ReadonlyMap<string, SessionPrincipal>> {
    const rows = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom(
          // Not from JSON: the planner knows the length of an array.
          sql<SessionClaims>`unnest(${all.map(({ sub }) => sub)}::uuid[], ${all.map(({ sid }) => sid)}::uuid[],
            ${all.map(({ license_id: id }) => id)}::uuid[])`.as<'claims'>(sql`claims(sub, sid, license_id)`),
        )
        .innerJoin('user_session as session', (join) =>
          join.onRef('session.id', '=', 'claims.sid').onRef('session.user_id', '=', 'claims.sub'),
        )
        .innerJoin('user_account as user', 'user.id', 'session.user_id')
        .leftJoin('membership', (join) =>
          join
            .onRef('membership.user_id', '=', 'user.id')
            .onRef('membership.license_id', '=', 'claims.license_id'),
        )
        .leftJoin('role', 'role.id', 'membership.role_id')
        .leftJoin('license', 'license.id', 'membership.license_id')
        .select([
          'claims.sub',
          'claims.sid',
          'claims.license_id as claimed_license_id',
          'user.email',
          'user.is_super_admin',
          'license.id as license_id',
          'license.status as license_status',
          'role.name as role',
          'role.is_system',
          'role.permissions',
        ])
        .where('session.ended_at', 'is', null)
        .where('user.is_disabled', '=', false)
        .execute(),
    );
    return new Map(
      rows
        .filter(({ claimed_license_id: claimed, license_id: id }) => claimed === id)
        .map((row) => [
          keyOf({ ...row, license_id: row.claimed_license_id }),
          {
            kind: 'user',
            actor: { kind: 'user', id: row.sub, label: row.email },
            userId: row.sub,
            email: row.email,
            sessionId: row.sid,
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
          },
        ]),
    );
  }
}

const keyOf = ({ sub, sid, license_id: licenseId }: SessionClaims): string =>
  `${sub} ${sid} ${licenseId ?? ''}`;

function undefinedIfGone(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
}
