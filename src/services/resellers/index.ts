// What a reseller does with its licenses: provisions, lists, suspends and resumes them, and reads its bills.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import { License } from '../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';
import type { AgentAccess } from '../agents/index.ts';
import { containing, createdWithin } from '../../lists/filters.ts';
import { changeLicense, isRevokedByPlatform } from '../license/status.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { monthAfter } from './bill-arithmetic.ts';
import { billOf, type Bill } from './bills.ts';
import { Provisioning, type ProvisioningParts, type ProvisioningResult } from './provisioning.ts';
import { resoldLicenses, resoldStatus, type ResoldLicenseRow } from './resold-licenses.ts';

export interface ResellerParts extends ProvisioningParts {
  agentAccess: AgentAccess;
}

export class Resellers {
  readonly #parts: ResellerParts;
  readonly #provisioning: Provisioning;

  constructor(parts: ResellerParts) {
    this.#parts = parts;
    this.#provisioning = new Provisioning(parts);
  }

  provision(ctx: Ctx, input: Schemas['ProvisioningRequest']): Promise<ProvisioningResult[]> {
    return this.#provisioning.provision(ctx, input);
  }

  async list(ctx: Ctx, query: Query<'listProvisionedLicenses'>): Promise<Page<ResoldLicenseRow>> {
    return this.#read(ctx, (queries) => {
      const { status, server_id, q, ...page } = query;
      let licenses = resoldLicenses(queries, ctx.resellerId).where(createdWithin('sold.created_at', query));
      if (status !== undefined) licenses = licenses.where(resoldStatus, '=', status);
      if (server_id !== undefined) licenses = licenses.where('sold.server_id', '=', server_id);
      if (q !== undefined) {
        const pattern = containing(q);
        licenses = licenses.where((eb) =>
          eb.or([
            eb('sold.server_id', 'ilike', pattern),
            eb('sold.hostname', 'ilike', pattern),
            eb('sold.customer_email', 'ilike', pattern),
          ]),
        );
      }
      return pageOf(licenses, page, byId('sold.id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<ResoldLicenseRow> {
    return this.#read(ctx, (queries) => licenseOf(queries, ctx.resellerId, id));
  }

  /** Suspends or resumes a license. The reseller cannot resume a license that the platform has revoked. */
  async update(
    ctx: Ctx,
    id: string,
    { status }: Schemas['ResellerLicenseUpdate'],
  ): Promise<ResoldLicenseRow> {
    const { platform, agentAccess, changes } = this.#parts;
    return platform.transact('reselling', async (em) => {
      const { license_id: licenseId } = await this.get(ctx, id);
      const license = await em.findOneOrFail(License, licenseId, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (isRevokedByPlatform(license) && status === 'active') throw revokedByPlatform();
      await changeLicense(em, agentAccess, license, { isSuspended: status === 'suspended' });
      changes.announce({ license_id: licenseId });
      return this.get(ctx, id);
    });
  }

  /** Returns a month's bill; throws for future months. */
  async bill(ctx: Ctx, month: string): Promise<Bill> {
    const now = new Date();
    if (month > monthAfter(now, 0))
      throw invalidField({ in: 'path', pointer: '/month', detail: 'must not be in the future' });
    return this.#read(ctx, (queries) => billOf(queries, ctx.resellerId, month, now));
  }

  #read<T>({ resellerId }: Ctx, work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#parts.resellerScope.read(resellerId, work);
  }
}

async function licenseOf(queries: Queries, resellerId: string, id: string): Promise<ResoldLicenseRow> {
  const license = await resoldLicenses(queries, resellerId).where('sold.id', '=', id).executeTakeFirst();
  if (license === undefined) throw notFound('license');
  return license;
}

const revokedByPlatform = () =>
  new DomainError(
    'revoked_by_platform',
    'The platform has revoked this license; only the platform can reactivate it.',
  );
