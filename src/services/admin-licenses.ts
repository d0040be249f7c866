// Licenses as super admins create, list, revoke and activate them.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';
import type { Queries } from '../database/reader.ts';
import type { TenantScope } from '../database/tenant-scope.ts';
import { License, UserAccount } from '../entities/index.ts';
import { notFound } from '../errors.ts';
import type { AccessChanges } from './auth/access-changes.ts';
import { createPasswordToken, welcomeTokenMs } from './auth/password-changes.ts';
import type { StepUps } from './auth/step-ups.ts';
import type { AgentAccess } from './agents/index.ts';
import { containing, createdWithin } from '../lists/filters.ts';
import type { MailOut } from '../mail/mail-out.ts';
import { furnish } from './license/first-rows.ts';
import { changeLicense } from './license/status.ts';
import { byId, pageOf, type Page } from '../lists/page.ts';
import {
  createCompanionToken,
  createLicenseKey,
  createSlugEnd,
  hashSecret,
} from '../secrets/random-secrets.ts';
import { flushWithSubdomain } from '../preconditions/subdomains.ts';
import type { Administration } from './auth/administration.ts';

export class AdminLicenses {
  readonly #administration: Administration;
  readonly #tenant: TenantScope;
  readonly #changes: AccessChanges;
  readonly #agentAccess: AgentAccess;
  readonly #mailOut: MailOut;
  readonly #stepUps: Pick<StepUps, 'require'>;

  constructor(
    administration: Administration,
    tenant: TenantScope,
    changes: AccessChanges,
    agentAccess: AgentAccess,
    mailOut: MailOut,
    stepUps: Pick<StepUps, 'require'>,
  ) {
    this.#stepUps = stepUps;
    this.#administration = administration;
    this.#tenant = tenant;
    this.#changes = changes;
    this.#agentAccess = agentAccess;
    this.#mailOut = mailOut;
  }

  async list(ctx: Ctx, query: Query<'listLicenses'>): Promise<Page<LicenseRow>> {
    return this.#administration.read(ctx, (queries) => {
      let licenses = queries
        .selectFrom('license')
        .select(licenseColumns)
        .where(createdWithin('created_at', query));
      if (query.status !== undefined) licenses = licenses.where('status', '=', query.status);
      if (query.is_sandbox !== undefined) licenses = licenses.where('is_sandbox', '=', query.is_sandbox);
      if (query.q !== undefined) {
        const pattern = containing(query.q);
        licenses = licenses.where((eb) =>
          eb.or([
            eb('name', 'ilike', pattern),
            eb('subdomain', 'ilike', pattern),
            eb('key', 'ilike', pattern),
            eb('owner_email', 'ilike', pattern),
          ]),
        );
      }
      return pageOf(licenses, query, byId('id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<LicenseRow> {
    return this.#administration.read(ctx, (queries) => licenseOf(queries, id));
  }

  /**
   * Creates a license with its system roles and its owner. The companion token is not stored. Naming an owner other
   * than the caller grants permanent access, so it requires a step-up.
   */
  async create(
    ctx: Ctx,
    input: Schemas['LicenseCreate'] = {},
  ): Promise<{ license: LicenseRow; companionToken: string }> {
    const ownerEmail = input.owner_email?.toLowerCase() ?? ctx.user.email;
    if (ownerEmail !== ctx.user.email) await this.#stepUps.require(ctx.principal);
    const companionToken = createCompanionToken();
    const license = await this.#administration.transact(ctx, async (em, queries) => {
      const { owner, isNew } = await findOrCreateOwner(em, ownerEmail);
      // Subdomains are public, so that nothing of the key may be in them.
      const slug = createSlugEnd();
      const created = em.create(License, {
        key: createLicenseKey(),
        name: input.name ?? `License ${slug}`,
        subdomain: input.subdomain ?? `license-${slug}`,
        companionTokenHash: hashSecret(companionToken),
        ownerEmail: owner.email,
      });
      await flushWithSubdomain(em, created.subdomain);
      await this.#tenant.transact(created.id, (tenantEm) => furnish(tenantEm, owner.id));
      if (isNew) await this.#welcome(em, owner, created.name);
      this.#changes.announce({ user_id: owner.id });
      return licenseOf(queries, created.id);
    });
    return { license, companionToken };
  }

  /** Sends the owner of a new account the link for choosing a password. */
  async #welcome(em: EntityManager, { id, email }: UserAccount, license: string): Promise<void> {
    const token = await createPasswordToken(em, id, welcomeTokenMs);
    await this.#mailOut.enqueue(em, {
      to: email,
      template: 'account-created',
      values: { email, license, token },
    });
  }

  /**
   * Revokes or activates the license; a reseller's suspension stays. Users, consoles and agents of a revoked license
   * are disconnected.
   */
  async update(ctx: Ctx, id: string, { status }: Schemas['LicenseUpdate']): Promise<LicenseRow> {
    return this.#administration.transact(ctx, async (em, queries) => {
      const license = await em.findOne(License, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (license === null) throw notFound('license');
      await changeLicense(em, this.#agentAccess, license, { isRevoked: status === 'revoked' });
      this.#changes.announce({ license_id: id });
      return licenseOf(queries, id);
    });
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
  'is_sandbox',
] as const;

export type LicenseRow = Awaited<ReturnType<typeof licenseOf>>;

async function licenseOf(queries: Queries, id: string) {
  const license = await queries
    .selectFrom('license')
    .select(licenseColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  if (license === undefined) throw notFound('license');
  return license;
}

async function findOrCreateOwner(
  em: EntityManager,
  email: string,
): Promise<{ owner: UserAccount; isNew: boolean }> {
  const made = await em.execute<{ id: string }[]>(
    'insert into user_account (email) values (?) on conflict do nothing returning id',
    [email],
  );
  return { owner: await em.findOneOrFail(UserAccount, { email }), isNew: made.length > 0 };
}
