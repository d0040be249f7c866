// The caller's license: its names, its secrets and its data.
import { Readable } from 'node:stream';
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { Download } from '../../results/results.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { License } from '../../entities/index.ts';
import type { AgentAccess } from '../agents/index.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import { exportLines } from './export.ts';
import { grants } from '../auth/role-permissions.ts';
import { createLicenseKey, createCompanionToken, hashSecret } from '../../secrets/random-secrets.ts';
import { refuseInSandbox } from '../../preconditions/sandboxes.ts';
import { flushWithSubdomain } from '../../preconditions/subdomains.ts';

export type OwnLicenseRow = Awaited<ReturnType<typeof licenseFor>>;

/** Long enough to distribute a new token by hand. */
const defaultOverlapSeconds = 86_400;

export interface RotatedToken {
  token: string;
  /** When the former token expires; null if it was revoked at once. */
  formerTokenExpiresAt: Date | null;
}

export class OwnLicense {
  readonly #agentAccess: AgentAccess;
  readonly #access: LastingAccess;

  constructor(agentAccess: AgentAccess, access: LastingAccess) {
    this.#agentAccess = agentAccess;
    this.#access = access;
  }

  async get(ctx: Ctx): Promise<OwnLicenseRow> {
    return ctx.read((queries) => licenseFor(ctx, queries));
  }

  async update(ctx: Ctx, changes: Schemas['OwnLicenseUpdate']): Promise<OwnLicenseRow> {
    return ctx.transact(async (em, queries) => {
      if (changes.subdomain !== undefined)
        await refuseInSandbox(queries, ctx.licenseId, 'A sandbox keeps its subdomain.');
      await assign(em, ctx, changes);
      return licenseFor(ctx, queries);
    });
  }

  async replaceKey(ctx: Ctx): Promise<OwnLicenseRow> {
    return ctx.transact(async (em, queries) => {
      await assign(em, ctx, { key: createLicenseKey() });
      return licenseFor(ctx, queries);
    });
  }

  /** Returns the new token, which is not stored. Without an overlap, agents are disconnected until they use it. */
  async replaceCompanionToken(
    ctx: Ctx,
    { overlap_seconds = defaultOverlapSeconds }: Partial<Schemas['CompanionTokenRotation']> = {},
  ): Promise<RotatedToken> {
    const token = createCompanionToken();
    const hasOverlap = overlap_seconds > 0;
    const formerTokenExpiresAt = hasOverlap ? new Date(Date.now() + overlap_seconds * 1_000) : null;
    await ctx.transact(async (em, queries) => {
      await refuseInSandbox(
        queries,
        ctx.licenseId,
        'The host of a sandbox is simulated; no other agent can join.',
      );
      const { companionTokenHash } = await em.findOneOrFail(License, ctx.licenseId, {
        lockMode: LockMode.PESSIMISTIC_WRITE,
      });
      await assign(em, ctx, {
        companionTokenHash: hashSecret(token),
        formerCompanionTokenHash: hasOverlap ? companionTokenHash : null,
        formerCompanionTokenExpiresAt: formerTokenExpiresAt,
      });
      if (!hasOverlap) await this.#agentAccess.revokeLicense(em, ctx.licenseId);
    });
    return { token, formerTokenExpiresAt };
  }

  /** Exports all stored data of the license, for as long as the caller has access. */
  async export(ctx: Ctx): Promise<Download> {
    const requirement = {
      scheme: 'bearerAuth',
      permissions: ['license.export'],
      allowsRevoked: true,
    } as const;
    const checkAccess = () => this.#access.refuseEnded(ctx, requirement);
    return new Download(Readable.from(exportLines(ctx, checkAccess)), {
      mediaType: 'application/x-ndjson',
      fileName: `license-${ctx.licenseId}.ndjson`,
    });
  }
}

async function assign(em: EntityManager, ctx: Ctx, changes: Partial<License>): Promise<void> {
  const license = await em.findOneOrFail(License, ctx.licenseId);
  const { subdomain } = license;
  em.assign(license, changes);
  if (license.subdomain === subdomain) await em.flush();
  else await flushWithSubdomain(em, license.subdomain);
}

/** The caller's license. Its key is included only for callers who may replace it. */
async function licenseFor(ctx: Ctx, queries: Queries) {
  const { key, ...license } = await queries
    .selectFrom('license')
    .select(['id', 'key', 'name', 'subdomain', 'status', 'created_at', 'revoked_at', 'is_sandbox'])
    .where('id', '=', ctx.licenseId)
    .executeTakeFirstOrThrow();
  return { ...license, key: grants(ctx.license.permissions, 'license.manage') ? key : null };
}
