// Looks up an API key's current permissions, caches them for 2.5 s, and records its use at most once a minute.
import { growingCache } from '../../process/growing-cache.ts';
import type { Logger } from 'pino';
import type { ApiKeyPrincipal, PermissionMap } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import { DomainError, unauthorized } from '../../errors.ts';
import { isWithin, parseNetwork, type Network } from '../../network/ip-networks.ts';
import { intersection, permissionsOfRole } from './role-permissions.ts';
import { identifierOf, isHashOf } from '../../secrets/random-secrets.ts';
import { concerns, type AccessChange, type AccessChanges, type Holder } from './access-changes.ts';

/** Changes are announced over the bus. If an announcement is lost, a cached entry is stale for at most this long. */
const rememberedMs = 2_500;
const recordUseEveryMs = 60_000;

interface KnownKey {
  principal: ApiKeyPrincipal;
  secretHash: string;
  creatorId: string;
  networks: readonly Network[] | null;
  expiresAtMs: number;
  /** When its use was last recorded. */
  notedAtMs: number;
}

interface Entry {
  loading: Promise<KnownKey>;
  /** Undefined until it is loaded. */
  known?: KnownKey;
}

export class ApiKeyPrincipals {
  readonly #platform: PlatformScope;
  readonly #log: Logger;
  readonly #entries = growingCache<Entry>({ maxEntries: 10_000, ttl: rememberedMs });
  readonly #notes = new Set<Promise<void>>();

  constructor(platform: PlatformScope, changes: AccessChanges, log: Logger) {
    this.#platform = platform;
    this.#log = log;
    changes.on((change) => this.#forget(change));
  }

  /**
   * Returns the key's principal, with those of its permissions that its creator still has. Throws unless the key is
   * valid, active and allowed from that address, and its creator is an enabled member of the license.
   */
  async find(key: string, source: string): Promise<ApiKeyPrincipal> {
    const identifier = identifierOf(key);
    if (identifier === undefined) throw unauthorized();
    const known = await this.#lookUp(identifier);
    if (!isHashOf(known.secretHash, key)) throw unauthorized();
    refuseUnusable(known, source);
    this.#recordUse(known);
    return known.principal;
  }

  /** Returns the current state of a principal that was found before; throws as `find` does. */
  async findAgain({ identifier }: ApiKeyPrincipal, source: string): Promise<ApiKeyPrincipal> {
    const known = await this.#lookUp(identifier);
    refuseUnusable(known, source);
    return known.principal;
  }

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#notes);
  }

  #lookUp(identifier: string): Promise<KnownKey> {
    const entry = this.#entries.get(identifier) ?? this.#load(identifier);
    return entry.loading;
  }

  #load(identifier: string): Entry {
    const entry: Entry = {
      loading: this.#platform.read('sign-in', (queries) => knownKeyOf(queries, identifier)),
    };
    this.#entries.set(identifier, entry);
    entry.loading.then(
      (known) => {
        entry.known = known;
      },
      () => {
        if (this.#entries.peek(identifier) === entry) this.#entries.delete(identifier);
      },
    );
    return entry;
  }

  /** Drops entries that are still loading as well: they may have been read before the change. */
  #forget(change: AccessChange): void {
    for (const [identifier, { known }] of this.#entries.entries()) {
      if (known === undefined || concerns(change, holderOf(known))) this.#entries.delete(identifier);
    }
  }

  /** Runs in its own transaction; no request waits for it. */
  #recordUse(known: KnownKey): void {
    if (Date.now() - known.notedAtMs < recordUseEveryMs) return;
    known.notedAtMs = Date.now();
    const note = this.#platform
      .transact('sign-in', (em) =>
        em.execute(
          `update api_key set last_used_at = now()
           where id = ? and (last_used_at is null or last_used_at <= now() - make_interval(secs => ?))`,
          [known.principal.actor.id, recordUseEveryMs / 1000],
        ),
      )
      .then(
        () => undefined,
        (error: unknown) => this.#log.warn({ err: error }, "a key's use could not be noted"),
      );
    this.#notes.add(note);
    void note.then(() => this.#notes.delete(note));
  }
}

function refuseUnusable({ expiresAtMs, networks }: KnownKey, source: string): void {
  if (expiresAtMs <= Date.now()) throw unauthorized();
  if (networks !== null && !isWithin(source, networks))
    throw new DomainError('address_not_allowed', 'This key may not be used from your address.');
}

/** A key's access also depends on its creator's. */
function holderOf({ principal, creatorId }: KnownKey): Holder {
  return { apiKeyId: principal.actor.id, userId: creatorId, licenseId: principal.license.id };
}

/** Throws `unauthorized` for an unknown or revoked key. */
async function knownKeyOf(queries: Queries, identifier: string): Promise<KnownKey> {
  const row = await queries
    .selectFrom('api_key')
    .innerJoin('license', 'license.id', 'api_key.license_id')
    .innerJoin('user_account as creator', 'creator.id', 'api_key.created_by_id')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.user_id', '=', 'creator.id')
        .onRef('membership.license_id', '=', 'api_key.license_id'),
    )
    .innerJoin('role', 'role.id', 'membership.role_id')
    .select([
      'api_key.id',
      'api_key.name',
      'api_key.secret_hash',
      'api_key.permissions as key_permissions',
      'api_key.allowed_ips',
      'api_key.expires_at',
      'api_key.last_used_at',
      'license.id as license_id',
      'license.status as license_status',
      'creator.id as creator_id',
      'role.name as role',
      'role.is_system',
      'role.permissions',
    ])
    .where('api_key.identifier', '=', identifier)
    .where('api_key.revoked_at', 'is', null)
    .where('creator.is_disabled', '=', false)
    .executeTakeFirst();
  if (row === undefined) throw unauthorized();
  const creatorMay: PermissionMap = permissionsOfRole({ ...row, name: row.role });
  return {
    principal: {
      kind: 'api_key',
      identifier,
      // The prefix keeps a key that is named like a user from being taken for that user.
      actor: { kind: 'api_key', id: row.id, label: `API key ${row.name}` },
      license: {
        id: row.license_id,
        role: 'API key',
        permissions: intersection(row.key_permissions, creatorMay),
        isRevoked: row.license_status === 'revoked',
      },
    },
    secretHash: row.secret_hash,
    creatorId: row.creator_id,
    networks: row.allowed_ips?.map(parseNetwork).filter((network) => network !== undefined) ?? null,
    expiresAtMs: row.expires_at === null ? Infinity : Date.parse(row.expires_at),
    notedAtMs: row.last_used_at === null ? -Infinity : Date.parse(row.last_used_at),
  };
}
