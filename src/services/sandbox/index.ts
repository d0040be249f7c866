// Sandboxes: licenses for tests that any developer creates, resets and deletes, and that expire.
import { randomInt } from 'node:crypto';
import type { SandboxSettings } from '../../config/sandbox-settings.ts';
import type { Ctx } from '../../context.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import {
  AgentHost,
  ApiKey,
  GameInstance,
  License,
  Module,
  Sandbox,
  UserAccount,
} from '../../entities/index.ts';
import { sandboxMailDomain } from '../../entities/sandbox.ts';
import { DomainError } from '../../errors.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { enqueueJob } from '../../queue/enqueue.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import { flushWithSubdomain } from '../../preconditions/subdomains.ts';
import {
  createApiKey,
  createLicenseKey,
  createPassword,
  createCompanionToken,
  createSlugEnd,
  hashSecret,
} from '../../secrets/random-secrets.ts';
import { startSimulation } from '../../sandbox/simulation.ts';
import { agentVersion, platformName, simulatedInstances } from '../../sandbox/state.ts';
import { storeHost } from '../../sandbox/stored-hosts.ts';
import { discardAllOf } from '../../storage/stored-files.ts';
import type { AccessChanges } from '../auth/access-changes.ts';
import type { Passwords } from '../auth/passwords.ts';
import { furnish } from '../license/first-rows.ts';
import { beginSubscription } from '../modules/subscriptions.ts';
import { createUserKey } from '../../../shared/nkeys.ts';

const lifetimeMs = 7 * 24 * 60 * 60_000;
const maxSeed = 2_147_483_647;
const simulatedHostname = 'sandbox-host';
/** Maximum sandboxes deleted per run; each is a transaction of its own. */
const deletedAtOnce = 20;

export interface SandboxParts {
  platform: PlatformScope;
  tenant: TenantScope;
  changes: AccessChanges;
  passwords: Pick<Passwords, 'hash'>;
  sandboxes: SandboxSettings;
}

export type SandboxRow = Awaited<ReturnType<typeof sandboxOf>>;

export interface CreatedSandbox {
  sandbox: SandboxRow;
  licenseKey: string;
  /** The key and the password in plain text; neither can be retrieved again. */
  apiKey: string;
  owner: { email: string; password: string };
}

/** What survives a reset: everything that callers may have noted. */
interface Identity {
  license: Pick<License, 'id' | 'key' | 'name' | 'subdomain' | 'companionTokenHash'> & { createdAt?: Date };
  owner: { id: string; email: string; passwordHash: string };
  apiKeys: Pick<
    ApiKey,
    'id' | 'identifier' | 'secretHash' | 'name' | 'permissions' | 'allowedIps' | 'createdBy' | 'expiresAt'
  >[];
  sandbox: Pick<Sandbox, 'seed' | 'expiresAt'> & { createdAt?: Date; resetAt?: Date };
  hostId: string;
  /** Ids of the game servers by name. */
  instanceIds: Readonly<Record<string, string>>;
}

export class Sandboxes {
  readonly #parts: SandboxParts;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
  }

  /** Creates a sandbox for anyone who asks. */
  async create({ name = 'Sandbox', seed }: Schemas['SandboxCreate'] = {}): Promise<CreatedSandbox> {
    const { platform, passwords, sandboxes } = this.#parts;
    if (!sandboxes.isEnabled)
      throw new DomainError('sandboxes_disabled', 'This installation does not offer sandboxes.');
    const slug = createSlugEnd();
    const { identifier, key: apiKey } = createApiKey({ isTest: true });
    const owner = { email: `owner-${slug}@${sandboxMailDomain}`, password: createPassword() };
    const passwordHash = await passwords.hash(owner.password);
    return platform.transact('sandboxes', async (em, queries) => {
      await refuseBeyond(em, {
        subject: 'sandboxes',
        max: sandboxes.maxCount,
        count: () => em.count(Sandbox),
        detail: `This installation has ${sandboxes.maxCount} sandboxes already; try again later.`,
      });
      const ids = await newIds(em);
      const license = {
        id: ids.license,
        key: createLicenseKey(),
        name,
        subdomain: `sandbox-${slug}`,
        companionTokenHash: hashSecret(createCompanionToken()),
      };
      await this.#build(em, {
        license,
        owner: { id: ids.owner, email: owner.email, passwordHash },
        apiKeys: [
          {
            id: ids.key,
            identifier,
            secretHash: hashSecret(apiKey),
            name: 'Sandbox key',
            permissions: { '*': true },
            allowedIps: null,
            createdBy: owner.email,
            expiresAt: null,
          },
        ],
        hostId: ids.host,
        instanceIds: {},
        sandbox: { seed: seed ?? randomInt(maxSeed), expiresAt: new Date(Date.now() + lifetimeMs) },
      });
      await enqueueJob(em, 'prepare-sandboxes', {}, { key: 'prepare sandboxes' });
      return { sandbox: await sandboxOf(queries, license.id), licenseKey: license.key, apiKey, owner };
    });
  }

  async get(ctx: Ctx): Promise<SandboxRow> {
    return ctx.read((queries) => sandboxOf(queries, ctx.licenseId));
  }

  /** Deletes the license and creates it again, with everything that callers may have noted. */
  async reset(ctx: Ctx, { seed }: Schemas['SandboxReset'] = {}): Promise<SandboxRow> {
    const { licenseId } = ctx;
    await this.get(ctx);
    return this.#parts.platform.transact('sandboxes', async (em, queries) => {
      const identity = await identityOf(em, licenseId);
      await discardAllOf(em, licenseId);
      await em.execute('select delete_sandbox(?)', [licenseId]);
      const sandbox = { ...identity.sandbox, resetAt: new Date(), ...(seed !== undefined && { seed }) };
      await this.#build(em, { ...identity, sandbox });
      this.#parts.changes.announce({ license_id: licenseId });
      return sandboxOf(queries, licenseId);
    });
  }

  async delete(ctx: Ctx): Promise<void> {
    await this.get(ctx);
    await this.#delete(ctx.licenseId);
  }

  /** Deletes expired sandboxes. A failure does not keep others from being deleted; it is retried on the next run. */
  async deleteExpired(): Promise<void> {
    const expired = await this.#parts.platform.read('jobs', (queries) =>
      queries
        .selectFrom('sandbox')
        .select('license_id')
        .where('expires_at', '<=', new Date().toISOString())
        .orderBy('expires_at')
        .limit(deletedAtOnce)
        .execute(),
    );
    const failures: unknown[] = [];
    for (const { license_id } of expired)
      await this.#delete(license_id).catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} sandboxes could not be deleted`);
  }

  async #delete(licenseId: string): Promise<void> {
    await this.#parts.platform.transact('sandboxes', async (em) => {
      // Another request, or another replica, may have deleted it.
      if ((await lockedSandbox(em, licenseId)) === undefined) return;
      await discardAllOf(em, licenseId);
      await em.execute('select delete_sandbox(?)', [licenseId]);
      this.#parts.changes.announce({ license_id: licenseId });
    });
  }

  async #build(em: EntityManager, identity: Identity): Promise<void> {
    const { license, owner, apiKeys, sandbox, hostId, instanceIds } = identity;
    const { id: licenseId, subdomain } = license;
    em.create(License, { ...license, ownerEmail: owner.email, isSandbox: true });
    await flushWithSubdomain(em, subdomain);
    em.create(UserAccount, { ...owner, sandboxLicenseId: licenseId });
    em.create(Sandbox, { licenseId, ...sandbox });
    await em.flush();
    await this.#parts.tenant.transact(licenseId, async (tenantEm) => {
      await furnish(tenantEm, owner.id);
      await tenantEm.flush();
      for (const key of apiKeys) tenantEm.create(ApiKey, { ...key, createdById: owner.id });
      // No client has the key of the host: its messages come from the platform itself.
      tenantEm.create(AgentHost, {
        id: hostId,
        hostname: simulatedHostname,
        platform: platformName,
        agentVersion,
        busPublicKey: createUserKey().publicKey,
      });
      await tenantEm.flush();
      for (const name of simulatedInstances) {
        const id = instanceIds[name];
        tenantEm.create(GameInstance, { ...(id !== undefined && { id }), hostId, name, game: 'rust' });
      }
      // Its bills are simulated: revenue and other figures of the platform leave sandboxes out.
      const module = await tenantEm.findOneOrFail(Module, { isSimulated: true });
      const offer = { amount: module.price, period: 'month' as const };
      await beginSubscription(tenantEm, module, offer, owner.email);
    });
    await storeHost(em, { licenseId, hostId, host: startSimulation(sandbox.seed, Date.now()) });
  }
}

async function newIds(em: EntityManager): Promise<Record<'license' | 'owner' | 'key' | 'host', string>> {
  const [ids] = await em.execute<Record<'license' | 'owner' | 'key' | 'host', string>[]>(
    'select uuidv7() as license, uuidv7() as owner, uuidv7() as key, uuidv7() as host',
  );
  if (ids === undefined) throw new Error('the database makes ids');
  return ids;
}

async function lockedSandbox(em: EntityManager, licenseId: string): Promise<{ seed: number } | undefined> {
  const [locked] = await em.execute<{ seed: number }[]>(
    'select seed from sandbox where license_id = ? for update',
    [licenseId],
  );
  return locked;
}

async function identityOf(em: EntityManager, licenseId: string): Promise<Identity> {
  // A concurrent reset deletes the row that this one would wait for, and creates it again.
  await holdLock(em, `reset of sandbox ${licenseId}`);
  if ((await lockedSandbox(em, licenseId)) === undefined) throw sandboxRequired();
  const license = await em.findOneOrFail(License, licenseId, { disableIdentityMap: true });
  const owner = await em.findOneOrFail(
    UserAccount,
    { sandboxLicenseId: licenseId },
    { disableIdentityMap: true },
  );
  const sandbox = await em.findOneOrFail(Sandbox, licenseId, { disableIdentityMap: true });
  const apiKeys = await em.find(ApiKey, { licenseId, revokedAt: null }, { disableIdentityMap: true });
  const { id, key, name, subdomain, companionTokenHash, createdAt } = license;
  const hosts = await em.execute<{ host_id: string }[]>(
    'select host_id from simulated_host where license_id = ?',
    [licenseId],
  );
  // Callers may have deleted the host.
  const hostId = hosts[0]?.host_id ?? (await newIds(em)).host;
  const instances = await em.find(GameInstance, { hostId }, { disableIdentityMap: true });
  return {
    hostId,
    instanceIds: Object.fromEntries(instances.map((instance) => [instance.name, instance.id])),
    license: { id, key, name, subdomain, companionTokenHash, createdAt },
    owner: { id: owner.id, email: owner.email, passwordHash: owner.passwordHash ?? '' },
    apiKeys: apiKeys.map((row) => ({
      id: row.id,
      identifier: row.identifier,
      secretHash: row.secretHash,
      name: row.name,
      permissions: row.permissions,
      allowedIps: row.allowedIps ?? null,
      createdBy: row.createdBy,
      expiresAt: row.expiresAt ?? null,
    })),
    sandbox: { seed: sandbox.seed, expiresAt: sandbox.expiresAt, createdAt: sandbox.createdAt },
  };
}

/** The sandbox of that license; throws `sandbox_required` if it is none. */
export async function sandboxOf(queries: Queries, licenseId: string) {
  const sandbox = await queries
    .selectFrom('sandbox')
    .innerJoin('license', 'license.id', 'sandbox.license_id')
    .select([
      'sandbox.license_id',
      'license.name',
      'license.subdomain',
      'sandbox.seed',
      'sandbox.clock_offset_ms',
      'sandbox.created_at',
      'sandbox.reset_at',
      'sandbox.expires_at',
    ])
    .where('sandbox.license_id', '=', licenseId)
    .executeTakeFirst();
  if (sandbox === undefined) throw sandboxRequired();
  return { ...sandbox, now: new Date(Date.now() + sandbox.clock_offset_ms) };
}

const sandboxRequired = () =>
  new DomainError('sandbox_required', 'This works only in a sandbox; create one with POST /api/sandbox.');
