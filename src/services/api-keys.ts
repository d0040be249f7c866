// API keys of a license: created, listed and revoked; access checks are elsewhere.
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { Queries } from '../database/reader.ts';
import { ApiKey, License } from '../entities/index.ts';
import { DomainError, invalidField, notFound } from '../errors.ts';
import { formatNetwork, parseNetwork } from '../network/ip-networks.ts';
import type { AccessChanges } from './auth/access-changes.ts';
import { refuseBeyond } from '../preconditions/limits.ts';
import { byId, pageOf } from '../lists/page.ts';
import { covers, grants } from './auth/role-permissions.ts';
import { createApiKey, hashSecret } from '../secrets/random-secrets.ts';

export const maxKeys = 200;

/** A permission that no key may have: a leaked key could otherwise outlive its own revocation. */
const neverGiven = 'apikeys.manage';

export type ApiKeyRow = Awaited<ReturnType<typeof keyOf>>;

export interface ApiKeyDetail {
  row: ApiKeyRow;
  /** The deprecated operations that it has called, the latest call first. */
  deprecatedUses: { operation: string; count: number; last_used_at: string }[];
}

export interface CreatedKey {
  row: ApiKeyRow;
  /** The key in plain text; it cannot be retrieved again. */
  key: string;
}

export class ApiKeys {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  async list(ctx: Ctx, { status, ...page }: Query<'listApiKeys'>) {
    return ctx.read((queries) => {
      let keys = keysOf(queries);
      if (status !== undefined) keys = keys.where(statusOf, '=', status);
      return pageOf(keys, page, byId('id', 'asc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<ApiKeyDetail> {
    return ctx.read(async (queries) => {
      const row = await keyOf(queries, id);
      const deprecatedUses = await queries
        .selectFrom('api_key_deprecated_use')
        .select(['operation', 'count', 'last_used_at'])
        .where('api_key_id', '=', id)
        .orderBy('last_used_at', 'desc')
        .orderBy('operation')
        .execute();
      return { row, deprecatedUses };
    });
  }

  /** Creates a key with at most its creator's permissions. */
  async create(ctx: Ctx, input: Schemas['ApiKeyCreate']): Promise<CreatedKey> {
    const { user, licenseId } = ctx;
    const allowedIps = input.allowed_ips?.map(networkAt) ?? null;
    const expiresAt = input.expires_at === undefined ? null : new Date(input.expires_at);
    if (expiresAt !== null && expiresAt <= new Date())
      throw invalidField({ in: 'body', pointer: '/expires_at', detail: 'must be in the future' });
    refuseTooMuch(user.license?.permissions ?? {}, input.permissions);
    return ctx.transact(async (em, queries) => {
      const { isSandbox } = await em.findOneOrFail(License, licenseId, { fields: ['isSandbox'] });
      const { identifier, key } = createApiKey({ isTest: isSandbox });
      await refuseBeyond(em, {
        subject: `api keys ${licenseId}`,
        max: maxKeys,
        count: () => em.count(ApiKey, { revokedAt: null }),
        detail: `A license has at most ${maxKeys} keys that are not revoked.`,
      });
      const made = em.create(ApiKey, {
        identifier,
        secretHash: hashSecret(key),
        name: input.name,
        permissions: input.permissions,
        allowedIps,
        createdById: user.userId,
        createdBy: user.email,
        expiresAt,
      });
      await em.flush();
      return { row: await keyOf(queries, made.id), key };
    });
  }

  /** Revokes the key permanently, with immediate effect on all replicas. */
  async revoke(ctx: Ctx, id: string): Promise<void> {
    await ctx.transact(async (em) => {
      const key = await em.findOne(ApiKey, id);
      if (key === null) throw notFound('API key');
      key.revokedAt ??= new Date();
      this.#changes.announce({ api_key_id: id });
    });
  }
}

function refuseTooMuch(held: Readonly<Record<string, boolean>>, wanted: Readonly<Record<string, boolean>>) {
  const names = Object.keys(wanted).filter((name) => wanted[name] === true);
  if (names.some((name) => name !== '*' && grants({ [name]: true }, neverGiven))) {
    throw invalidField({
      in: 'body',
      pointer: '/permissions',
      detail: `must not include ${neverGiven}: keys do not manage keys`,
    });
  }
  const missing = names.filter((name) => !covers(held, { [name]: true }));
  if (missing.length > 0) {
    throw new DomainError(
      'beyond_own_permissions',
      `You can't give a key what you may not do yourself: ${missing.join(', ')}.`,
    );
  }
}

function networkAt(text: string, index: number): string {
  const network = parseNetwork(text);
  if (network !== undefined) return formatNetwork(network);
  throw invalidField({
    in: 'body',
    pointer: `/allowed_ips/${index}`,
    detail: 'must be an IP address or a network as CIDR',
  });
}

const statusOf = sql<Schemas['ApiKeyStatus']>`case when revoked_at is not null then 'revoked'
  when expires_at <= now() then 'expired' else 'active' end`;

function keysOf(queries: Queries) {
  return queries
    .selectFrom('api_key')
    .select([
      'id',
      'identifier',
      'name',
      'permissions',
      'allowed_ips',
      'created_by',
      'created_at',
      'expires_at',
      'last_used_at',
      'revoked_at',
      statusOf.as('status'),
    ]);
}

async function keyOf(queries: Queries, id: string) {
  const key = await keysOf(queries).where('id', '=', id).executeTakeFirst();
  if (key === undefined) throw notFound('API key');
  return key;
}
