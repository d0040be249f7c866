// The results of a provisioning as rows of a CSV file, for the shop or the billing of the reseller.
import type { Cell } from '../../shared/csv.ts';
import type { License } from './provision-once.ts';
import type { Run } from './provisioning.ts';

const parts = [
  'reseller_license_id',
  'license_id',
  'panel_url',
  'license_key',
  'companion_token',
  'plugin_download_url',
  'subdomain',
] as const satisfies readonly (keyof License)[];

/** The names are those of the contract, so that programs can read the file; a failed row can be provisioned from it. */
export const resultRows = (run: Run, licenses: ReadonlyMap<string, License>): Cell[][] => [
  ['server_id', 'hostname', 'customer_email', 'outcome', 'problem', ...parts],
  ...run.rows.map(({ server_id, hostname, customer_email, outcome, problem }) => {
    const license = licenses.get(server_id);
    return [
      server_id,
      hostname,
      customer_email,
      outcome,
      problem,
      ...parts.map((part) => license?.[part] ?? null),
    ];
  }),
];
