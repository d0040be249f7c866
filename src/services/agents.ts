// Agents signing in with a companion token, and cutting them off again.
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import type { AgentCredentials, Credentials } from '../bus/agent-credentials.ts';
import { isPublicKey } from '../bus/keys.ts';
import { licenseRevoked, type Ctx } from '../context.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { AgentHost } from '../entities/index.ts';
import { DomainError, invalidField, unauthorized } from '../errors.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { hashSecret } from './secrets.ts';

type Schemas = components['schemas'];

const mostHosts = 1_000;
/** Within the lifetime of credentials. */
const mostKeyChanges = 200;

export interface AgentSession {
  hostId: string;
  credentials: Credentials;
}

/** How agents reach the bus and how often they report; from the settings. */
export interface AgentSettings {
  busUrls: string[];
  busPrefix: string;
  heartbeatIntervalSeconds: number;
}

export class Agents {
  readonly settings: AgentSettings;
  readonly #platform: PlatformScope;
  readonly #credentials: AgentCredentials;

  constructor(platform: PlatformScope, credentials: AgentCredentials, settings: AgentSettings) {
    this.#platform = platform;
    this.#credentials = credentials;
    this.settings = settings;
  }

  /** The license whose companion token this is. */
  async licenseOfToken(token: string): Promise<string> {
    const license = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('license')
        .select(['id', 'status'])
        .where('companion_token_hash', '=', hashSecret(token))
        .executeTakeFirst(),
    );
    if (license === undefined) throw unauthorized();
    if (license.status === 'revoked') throw licenseRevoked();
    return license.id;
  }

  /** Enrols the host on first sight and mints its bus credentials. Another key of the same host is revoked. */
  async openSession(ctx: Ctx, input: Schemas['AgentSessionCreate']): Promise<AgentSession> {
    if (!isPublicKey(input.public_key)) {
      throw invalidField({
        in: 'body',
        pointer: '/public_key',
        detail: 'must be a public nkey with a right checksum',
      });
    }
    const hostId = await ctx
      .transact(async (em) => {
        await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [
          `host ${ctx.licenseId} ${input.hostname}`,
        ]);
        await refuseRevoked(em, ctx.licenseId);
        const known = await em.findOne(AgentHost, { hostname: input.hostname });
        const { agent_version: agentVersion, platform, public_key: busPublicKey } = input;
        if (known === null) {
          await refuseTooManyHosts(em, ctx.licenseId);
          const host = em.create(AgentHost, {
            hostname: input.hostname,
            agentVersion,
            platform,
            busPublicKey,
          });
          await em.flush();
          return host.id;
        }
        if (known.busPublicKey !== busPublicKey) {
          await refuseKeyStorm(em, ctx.licenseId);
          await revokeKeys(em, ctx.licenseId, [known.busPublicKey]);
        }
        em.assign(known, { agentVersion, platform, busPublicKey });
        return known.id;
      })
      .catch(refuseTakenKey);
    return { hostId, credentials: this.#credentials.mint(hostId, input.public_key) };
  }
}

/** The database knows the keys of every license; a session may only know that another host has this one. */
function refuseTakenKey(error: unknown): never {
  if (error instanceof UniqueConstraintViolationException) {
    throw new DomainError(
      'public_key_taken',
      'Another host has this key. Each has one of its own: make a new one.',
      { cause: error },
    );
  }
  throw error;
}

/** Cuts agents off the bus. */
export class AgentAccess {
  /** Revokes the credentials of every host of the license. */
  async revokeLicense(em: EntityManager, licenseId: string): Promise<void> {
    const hosts = await em.find(AgentHost, { licenseId }, { fields: ['busPublicKey'] });
    await revokeKeys(
      em,
      licenseId,
      hosts.map(({ busPublicKey }) => busPublicKey),
    );
  }
}

/** Holds the license as it is until this has committed, so that revoking it sees every key. */
async function refuseRevoked(em: EntityManager, licenseId: string): Promise<void> {
  const [license] = await em.execute<{ status: string }[]>('select license_status_held(?) as status', [
    licenseId,
  ]);
  if (license?.status !== 'active') throw licenseRevoked();
}

/** The rows commit with what makes them necessary; the job tells the broker. */
async function revokeKeys(em: EntityManager, licenseId: string, publicKeys: string[]): Promise<void> {
  if (publicKeys.length === 0) return;
  await em.execute('select revoke_bus_keys(?, ?::text[])', [licenseId, `{${publicKeys.join(',')}}`]);
  await enqueueJob(em, 'publish-revocations', {}, { key: 'publish-revocations' });
}

async function refuseTooManyHosts(em: EntityManager, licenseId: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`hosts ${licenseId}`]);
  if ((await em.count(AgentHost)) >= mostHosts) {
    throw new DomainError('conflict', `A license has at most ${mostHosts} hosts.`);
  }
}

/** Every changed key makes the list longer that the broker is given, so one license can't make it endless. */
async function refuseKeyStorm(em: EntityManager, licenseId: string): Promise<void> {
  const [row] = await em.execute<{ recent: number }[]>('select recent_key_revocations(?) as recent', [
    licenseId,
  ]);
  if ((row?.recent ?? 0) >= mostKeyChanges) {
    throw new DomainError(
      'conflict',
      'Too many hosts of this license have changed their keys just now; wait a quarter of an hour.',
    );
  }
}
