// Provisions servers for a reseller: each gets a license, an Owner and its secrets, or fails on its own.
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { ResellerScope } from '../../database/tenant-scope.ts';
import { DomainError } from '../../errors.ts';
import { enqueueJob } from '../../queue/enqueue.ts';
import type { AccessChanges } from '../auth/access-changes.ts';
import { limitReached, roomWithin } from '../../preconditions/limits.ts';
import {
  createLicenseKey,
  createCompanionToken,
  createSlugEnd,
  hashSecret,
} from '../../secrets/random-secrets.ts';
import { insertLicenses, type NewLicense } from './new-licenses.ts';
import { resoldLicenses, type ResoldLicenseRow } from './resold-licenses.ts';
import type { FirstSecrets, Secrets } from './first-secrets.ts';

export const maxLicenses = 10_000;

type Server = Schemas['ProvisionedServer'];

/** The result for a server: either a license or a refusal. A server that a dry run would create has neither. */
export interface ProvisioningResult {
  serverId: string;
  outcome: Schemas['ProvisioningOutcome'];
  license?: ProvisionedLicense;
  refusal?: DomainError;
}

export type ProvisionedLicense = Secrets &
  Pick<ResoldLicenseRow, 'id' | 'license_id' | 'status' | 'subdomain'> & {
    pluginDownloadUrl: string;
    panelUrl: string;
  };

/** Whether a value is valid by a named schema of the contract. */
export interface SchemaCheck {
  isOf(schema: string, value: unknown): boolean;
}

export interface ProvisioningParts {
  platform: PlatformScope;
  resellerScope: ResellerScope;
  changes: AccessChanges;
  firstSecrets: FirstSecrets;
  contractValues: SchemaCheck;
  /** The download URL of the game server plugin, and the panel where customers administer their license. */
  addresses: () => { pluginDownloadUrl: string; panelUrl: string };
}

export class Provisioning {
  readonly #parts: ProvisioningParts;

  constructor(parts: ProvisioningParts) {
    this.#parts = parts;
  }

  /**
   * An advisory lock serialises a reseller's requests: of two with the same server, the second finds the license that
   * the first created.
   */
  async provision(
    ctx: Ctx,
    { servers, dry_run: isDryRun = false }: Schemas['ProvisioningRequest'],
  ): Promise<ProvisioningResult[]> {
    const { resellerId } = ctx;
    return this.#parts.platform.transact('reselling', async (em) => {
      const limit = {
        subject: `licenses of reseller ${resellerId}`,
        max: maxLicenses,
        count: () => this.#countOf(resellerId),
        detail: `A reseller has at most ${maxLicenses.toLocaleString('en')} licenses.`,
      };
      let room = await roomWithin(em, limit);
      const known = await this.#knownOf(resellerId, servers);
      const wanted = new Map<string, Server>();
      const seen = new Set<string>();
      const results = servers.map((server): ProvisioningResult => {
        const { server_id: serverId } = server;
        const wrong = this.#faultsOf(server);
        if (wrong.length > 0) return failed(serverId, invalidServer(wrong));
        if (seen.has(serverId)) return failed(serverId, duplicateServer(serverId));
        seen.add(serverId);
        const row = known.get(serverId);
        if (row !== undefined) return this.#existing(resellerId, server, row, isDryRun);
        if (room <= 0) return failed(serverId, limitReached(limit));
        room -= 1;
        wanted.set(serverId, server);
        return { serverId, outcome: 'created' };
      });
      if (isDryRun || wanted.size === 0) return results;
      const made = await this.#make(em, resellerId, [...wanted.values()]);
      return results.map((result) => {
        const license = result.outcome === 'created' ? made.get(result.serverId) : undefined;
        return license === undefined ? result : { ...result, license };
      });
    });
  }

  /** Returns what is wrong with the server's own fields, as text. */
  #faultsOf(server: Server): string[] {
    const { contractValues } = this.#parts;
    return fields
      .filter(([field, schema]) => !contractValues.isOf(schema, server[field]))
      .map(([, , words]) => words);
  }

  async #countOf(resellerId: string): Promise<number> {
    const { count } = await this.#parts.resellerScope.read(resellerId, (queries) =>
      queries
        .selectFrom('reseller_license')
        .where('deleted_at', 'is', null)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    );
    return count;
  }

  async #knownOf(resellerId: string, servers: readonly Server[]): Promise<Map<string, ResoldLicenseRow>> {
    const ids = servers.map(({ server_id }) => server_id);
    const rows = await this.#parts.resellerScope.read(resellerId, (queries) =>
      resoldLicenses(queries, resellerId).where('sold.server_id', 'in', ids).execute(),
    );
    return new Map(rows.map((row) => [row.server_id, row]));
  }

  #existing(
    resellerId: string,
    { server_id: serverId, hostname, customer_email: email }: Server,
    row: ResoldLicenseRow,
    isDryRun: boolean,
  ): ProvisioningResult {
    if (row.hostname !== hostname || row.customer_email !== email.toLowerCase())
      return failed(serverId, serverIdTaken(row));
    const { firstSecrets, addresses } = this.#parts;
    const secrets = isDryRun ? noSecrets : firstSecrets.of(resellerId, row);
    return { serverId, outcome: 'existing', license: { ...row, ...secrets, ...addresses() } };
  }

  /** Creates all licenses in one batch: 500 cost little more than one. */
  async #make(
    em: EntityManager,
    resellerId: string,
    servers: readonly Server[],
  ): Promise<Map<string, ProvisionedLicense>> {
    const { firstSecrets, addresses, changes } = this.#parts;
    const drafts = servers.map((server) => {
      const secrets = { licenseKey: createLicenseKey(), companionToken: createCompanionToken() };
      const license: NewLicense = {
        server_id: server.server_id,
        hostname: server.hostname,
        email: server.customer_email.toLowerCase(),
        key: secrets.licenseKey,
        subdomain: subdomainOf(server.hostname),
        companion_token_hash: hashSecret(secrets.companionToken),
        sealed_secrets: firstSecrets.encrypt(resellerId, server.server_id, secrets),
      };
      return { license, secrets };
    });
    const { rows, formerOwnerIds } = await insertLicenses(
      em,
      resellerId,
      drafts.map(({ license }) => license),
    );
    await enqueueJob(em, 'welcome-customers', { license_ids: rows.map(({ license_id }) => license_id) });
    for (const userId of formerOwnerIds) changes.announce({ user_id: userId });
    const rowOf = new Map(rows.map((row) => [row.server_id, row]));
    return new Map(
      drafts.flatMap(({ license: { server_id, subdomain }, secrets }) => {
        const row = rowOf.get(server_id);
        if (row === undefined) throw new Error(`no license was made for ${server_id}`);
        const { id, license_id } = row;
        return [[server_id, { id, license_id, subdomain, status: 'active', ...secrets, ...addresses() }]];
      }),
    );
  }
}

/** The contract schema of each field of a server, and the error text. */
const fields = [
  [
    'server_id',
    'ResellerServerId',
    'server_id must have 1 to 100 printable characters of ASCII, and no spaces',
  ],
  [
    'hostname',
    'CustomerHostname',
    'hostname must have 1 to 100 letters, digits, dots, dashes and underscores, a letter or a digit at both ends',
  ],
  ['customer_email', 'Email', 'customer_email must be an e-mail address'],
] as const;

const noSecrets: Secrets = { licenseKey: null, companionToken: null };

/** Derives a subdomain from the hostname with a random end, so that it does not reveal who else has such a hostname. */
function subdomainOf(hostname: string): string {
  const [label = ''] = hostname.toLowerCase().split('.');
  const slug = label.replaceAll('_', '-').replace(/^-+/, '').slice(0, 40).replace(/-+$/, '');
  return `${slug || 'server'}-${createSlugEnd()}`;
}

const failed = (serverId: string, refusal: DomainError): ProvisioningResult => ({
  serverId,
  outcome: 'failed',
  refusal,
});

const invalidServer = (wrong: readonly string[]) => new DomainError('invalid_server', `${wrong.join('; ')}.`);

const duplicateServer = (serverId: string) =>
  new DomainError('duplicate_server', `${serverId} is named twice in this request.`);

const serverIdTaken = ({ server_id, hostname, customer_email }: ResoldLicenseRow) =>
  new DomainError(
    'server_id_taken',
    `${server_id} is already provisioned as ${hostname} for ${customer_email}.`,
  );
