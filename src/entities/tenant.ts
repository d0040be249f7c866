// What all tenant tables share: the license column and the policy that separates licenses.
import { p } from '@mikro-orm/core';

/** The license of the running tenant transaction, as SQL; null outside of one, so that policies fail closed. */
export const currentLicense = "nullif(current_setting('app.license_id', true), '')::uuid";

const ownRows = `license_id = ${currentLicense}`;

/**
 * Row level security of a table with a license_id, for readers of the entity. The policy in effect is the one that
 * migrations create with `keepLicensesApart`; test/contract/tenancy.test.ts compares every table with `currentLicense`.
 */
export const tenantTable = {
  rowLevelSecurity: true as const,
  policies: [{ name: 'tenant', using: () => ownRows, check: () => ownRows }],
};

/** Columns of a table with a license_id; the database fills in both by default. */
export const tenantColumns = {
  id: () => p.uuid().primary().defaultRaw('uuidv7()'),
  licenseId: () => p.uuid().defaultRaw(currentLicense),
};
