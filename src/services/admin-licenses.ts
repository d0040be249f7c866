// Licenses as the platform's super admins create, see, revoke and activate them.
import { LockMode } from '@mikro-orm/core';
import type { components, operations } from '../../generated/platform.d.ts';
import type { Ctx } from '../context.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { TenantScope } from '../database/tenant-scope.ts';
import { License, Membership, Role, UserAccount } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';
import type { AccessChanges } from './auth/access-changes.ts';
import type { AgentAccess } from './agents.ts';
import { pageOf, type Page } from './page.ts';
import { ownerRole, systemRoles } from './permissions.ts';
import { createLicenseKey, createSecret, hashSecret } from './secrets.ts';

type Schemas = components['schemas'];
type ListQuery = NonNullable<operations['listLicenses']['parameters']['query']>;

export class AdminLicenses {
  readonly #platform: PlatformScope;
  readonly #tenant: TenantScope;
  readonly #changes: AccessChanges;
  readonly #agentAccess: AgentAccess;

  constructor(
    platform: PlatformScope,
    tenant: TenantScope,
    changes: AccessChanges,
    agentAccess: AgentAccess,
  ) {
    this.#platform = platform;
    this.#tenant = tenant;
    this.#changes = changes;
    this.#agentAccess = agentAccess;
  }

  async list(_ctx: Ctx, query: ListQuery): Promise<Page<LicenseRow>> {
    return this.#platform.read('administration', (queries) => {
      let licenses = queries.selectFrom('license').select(licenseColumns);
      if (query.status !== undefined) licenses = licenses.where('status', '=', query.status);
      if (query.q !== undefined) {
        const pattern = `%${query.q.replace(/[\\%_]/g, '\\$&')}%`;
        licenses = licenses.where((eb) =>
          eb.or([
            eb('name', 'ilike', pattern),
            eb('subdomain', 'ilike', pattern),
            eb('key', 'ilike', pattern),
            eb('owner_email', 'ilike', pattern),
          ]),
        );
      }
      return pageOf(licenses, query, 'desc');
    });
  }

  async get(_ctx: Ctx, id: string): Promise<LicenseRow> {
    const license = await this.#platform.read('administration', (queries) =>
      queries.selectFrom('license').select(licenseColumns).where('id', '=', id).executeTakeFirst(),
    );
    if (license === undefined) throw notFound('license');
    return license;
  }

  /** Creates a license with its system roles and its owner. The companion token is not kept. */
  async create(
    ctx: Ctx,
    input: Schemas['LicenseCreate'] = {},
  ): Promise<{ license: LicenseRow; companionToken: string }> {
    const companionToken = createSecret('gantry_companion_');
    const license = await this.#platform.transact('administration', async (em) => {
      const owner = await findOrCreateOwner(em, input.owner_email?.toLowerCase() ?? ctx.user.email);
      const key = createLicenseKey();
      const created = em.create(License, {
        key,
        name: input.name ?? `License ${key.slice(6, 11)}`,
        subdomain:
          input.subdomain ?? `license-${key.slice(6).replaceAll('-', '').slice(0, 12).toLowerCase()}`,
        companionTokenHash: hashSecret(companionToken),
        ownerEmail: owner.email,
      });
      await refuseTakenSubdomain(em, created.subdomain);
      await em.flush();
      await this.#tenant.transact(created.id, (tenantEm) => furnish(tenantEm, owner.id));
      return created;
    });
    this.#changes.announce({ user_id: ctx.user.userId });
    return { license: rowOf(license), companionToken };
  }

  /** Revokes or activates. A revoked license's users, consoles and agents are cut off. */
  async update(_ctx: Ctx, id: string, { status }: Schemas['LicenseUpdate']): Promise<LicenseRow> {
    const license = await this.#platform.transact('administration', async (em) => {
      const found = await em.findOne(License, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (found === null) throw notFound('license');
      if (found.status === status) return found;
      found.status = status;
      found.revokedAt = status === 'revoked' ? new Date() : null;
      if (status === 'revoked') await this.#agentAccess.revokeLicense(em, id);
      return found;
    });
    this.#changes.announce({ license_id: id });
    return rowOf(license);
  }
}

const licenseColumns = [
  'id',
  'key',
  'name',
  'subdomain',
  'status',
  'owner_email',
  'created_at',
  'revoked_at',
] as const;

export interface LicenseRow {
  id: string;
  key: string;
  name: string;
  subdomain: string;
  status: Schemas['LicenseStatus'];
  owner_email: string | null;
  created_at: string;
  revoked_at: string | null;
}

function rowOf(license: License): LicenseRow {
  return {
    id: license.id,
    key: license.key,
    name: license.name,
    subdomain: license.subdomain,
    status: license.status,
    owner_email: license.ownerEmail ?? null,
    created_at: license.createdAt.toISOString(),
    revoked_at: license.revokedAt?.toISOString() ?? null,
  };
}

async function findOrCreateOwner(em: EntityManager, email: string): Promise<UserAccount> {
  await em.execute('insert into user_account (email) values (?) on conflict do nothing', [email]);
  return em.findOneOrFail(UserAccount, { email });
}

async function refuseTakenSubdomain(em: EntityManager, subdomain: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`subdomain ${subdomain}`]);
  const taken = await em.execute('select 1 from license where subdomain = ?', [subdomain]);
  if (taken.length > 0)
    throw new DomainError('subdomain_taken', `The subdomain ${subdomain} belongs to another license.`);
}

/** The rows that every license has from the start. */
async function furnish(em: EntityManager, ownerId: string): Promise<void> {
  const roles = systemRoles.map(({ name, permissions }) =>
    em.create(Role, { name, permissions: { ...permissions }, isSystem: true }),
  );
  await em.flush();
  const owner = roles.find(({ name }) => name === ownerRole);
  if (owner === undefined) throw new Error('a license has an Owner role');
  em.create(Membership, { userId: ownerId, roleId: owner.id });
}
