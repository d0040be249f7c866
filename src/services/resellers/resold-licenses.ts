// Queries the licenses of one reseller, within the rows that it may see.
import { sql } from 'kysely';
import type { Schemas } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';

export type ResoldLicenseRow = Awaited<ReturnType<ReturnType<typeof resoldLicenses>['execute']>>[number];

/** The status depends on who may reactivate the license: one that the reseller suspended is not `revoked`. */
export const resoldStatus = sql<
  Schemas['ResellerLicenseStatus']
>`case when license.status = 'active' then 'active'
  when license.revoked_by = 'reseller' then 'suspended' else 'revoked' end`;

export function resoldLicenses(queries: Queries, resellerId: string) {
  return queries
    .selectFrom('reseller_license as sold')
    .innerJoin('license', 'license.id', 'sold.license_id')
    .select((eb) => [
      'sold.id',
      'sold.license_id',
      'sold.server_id',
      'sold.hostname',
      'sold.customer_email',
      'sold.sealed_secrets',
      'sold.created_at',
      'license.key',
      'license.subdomain',
      'license.companion_token_hash',
      resoldStatus.as('status'),
      eb
        .selectFrom('license_activity as activity')
        .select((inner) => inner.fn.max('activity.changed_at').as('changed_at'))
        .whereRef('activity.license_id', '=', 'sold.license_id')
        .$asScalar()
        .$notNull()
        .as('status_changed_at'),
    ])
    .where('sold.reseller_id', '=', resellerId);
}
