// Opens bus sessions for agents with a companion token, and cuts agents off the bus.
import { LockMode } from '@mikro-orm/core';
import type { AgentCredentials, Credentials } from '../../bus/agent-credentials.ts';
import { isPublicKey } from '../../bus/keys.ts';
import { licenseRevoked, type Ctx, type Principal } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { AgentHost, License } from '../../entities/index.ts';
import { DomainError, invalidField, unauthorized } from '../../errors.ts';
import { recordEvent } from '../../events/record.ts';
import { enqueueJob } from '../../queue/enqueue.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import { hashSecret, looksLikeCompanionToken } from '../../secrets/random-secrets.ts';

const maxHosts = 1_000;
/** Maximum key changes of a license within the lifetime of credentials. */
const maxKeyChanges = 200;

/** How long a host that flooded the bus gets no session, and how long its license can enrol no new hosts. */
const flooderHoldMs = 60_000;
const enrolmentHoldMs = 5 * 60_000;

export interface AgentSession extends AgentSettings {
  hostId: string;
  credentials: Credentials;
  serverTime: Date;
}

/** How agents reach the bus and how often they report; from the settings. */
export interface AgentSettings {
  busUrls: string[];
  busPrefix: string;
  heartbeatIntervalSeconds: number;
}

export class Agents {
  readonly #settings: AgentSettings;
  readonly #platform: PlatformScope;
  readonly #credentials: AgentCredentials;

  constructor(platform: PlatformScope, credentials: AgentCredentials, settings: AgentSettings) {
    this.#platform = platform;
    this.#credentials = credentials;
    this.#settings = settings;
  }

  /** Returns the principal of the license with this companion token; throws if there is none. */
  async companionOf(token: string): Promise<Principal> {
    if (!looksLikeCompanionToken(token)) throw unauthorized();
    const tokenHash = hashSecret(token);
    const license = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('license')
        .select(['id', 'name', 'status'])
        .where((eb) =>
          eb.or([
            eb('companion_token_hash', '=', tokenHash),
            eb.and([
              eb('former_companion_token_hash', '=', tokenHash),
              eb('former_companion_token_expires_at', '>', new Date().toISOString()),
            ]),
          ]),
        )
        .executeTakeFirst(),
    );
    if (license === undefined) throw unauthorized();
    if (license.status === 'revoked') throw licenseRevoked();
    return {
      kind: 'companion',
      actor: { kind: 'companion', id: license.id, label: `agents of ${license.name}` },
      license: { id: license.id, role: 'companion', permissions: {}, isRevoked: false },
      tokenHash,
    };
  }

  /** Issues bus credentials for the host. The first session enrols the host and binds it to its key. */
  async openSession(ctx: Ctx, input: Schemas['AgentSessionCreate']): Promise<AgentSession> {
    if (!isPublicKey(input.public_key)) {
      throw invalidField({
        in: 'body',
        pointer: '/public_key',
        detail: 'must be a public nkey with a valid checksum',
      });
    }
    const hostId = await ctx.transact(async (em) => {
      await refuseRevoked(em, ctx.licenseId);
      await refuseReplaced(em, ctx);
      const known = await lockedHost(em, input.hostname);
      if (known !== null) refuseFlooder(known);
      const host = known ?? (await enrol(em, ctx.licenseId, input));
      const { agent_version: agentVersion, platform, public_key: busPublicKey } = input;
      refuseForeignKey(host, busPublicKey);
      if (host.busPublicKey !== busPublicKey)
        await recordEvent(em, 'host.key_replaced', {
          licenseId: ctx.licenseId,
          subject: host.id,
          hostId: host.id,
          data: { hostname: host.hostname },
        });
      em.assign(host, { agentVersion, platform, busPublicKey, keyResetExpiresAt: null });
      await flushKeyed(em);
      return host.id;
    });
    const credentials = this.#credentials.mint(hostId, input.public_key);
    return { ...this.#settings, hostId, credentials, serverTime: new Date() };
  }
}

/** A holder of the license's token can name any host; only the key proves which host is calling. */
function refuseForeignKey({ hostname, busPublicKey, keyResetExpiresAt }: AgentHost, key: string): void {
  if (keyResetExpiresAt && key === busPublicKey) {
    throw new DomainError(
      'host_key_revoked',
      `An operator has reset the key of host "${hostname}". If this machine is still that host, stop the agent, ` +
        'delete agent.nk in its state directory and start it again; otherwise give it another hostname.',
    );
  }
  if (key === busPublicKey || (keyResetExpiresAt && keyResetExpiresAt.getTime() > Date.now())) return;
  throw new DomainError(
    'hostname_taken',
    `Another machine is enrolled as host "${hostname}". Give this one another hostname; if it is that machine, ` +
      'rebuilt or replaced, reset the key of the host (POST /api/fleet/hosts/{host_id}/reset-key).',
  );
}

function refuseFlooder({ hostname, floodedAt }: AgentHost): void {
  if (!floodedAt || floodedAt.getTime() < Date.now() - flooderHoldMs) return;
  throw new DomainError(
    'rate_limited',
    `Host "${hostname}" was cut off the message bus because it exceeded its message limit; it can connect again within ` +
      `${flooderHoldMs / 1_000} seconds.`,
  );
}

/** Without this, a host that was cut off could continue at once under another name. */
async function refuseWhileFlooded(em: EntityManager): Promise<void> {
  const since = new Date(Date.now() - enrolmentHoldMs);
  const flooder = await em.findOne(AgentHost, { floodedAt: { $gt: since } });
  if (flooder === null) return;
  throw new DomainError(
    'rate_limited',
    `Host "${flooder.hostname}" of this license was cut off the message bus because it exceeded its message limit; ` +
      `new hosts can be enrolled ${enrolmentHoldMs / 60_000} minutes after that.`,
  );
}

function lockedHost(em: EntityManager, hostname: string): Promise<AgentHost | null> {
  return em.findOne(AgentHost, { hostname }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Creates the host, or returns the one that a concurrent request has just created. */
async function enrol(
  em: EntityManager,
  licenseId: string,
  input: Schemas['AgentSessionCreate'],
): Promise<AgentHost> {
  await refuseWhileFlooded(em);
  await refuseBeyond(em, {
    subject: `hosts ${licenseId}`,
    max: maxHosts,
    count: () => em.count(AgentHost, { hostname: { $ne: input.hostname } }),
    detail: `A license has at most ${maxHosts} hosts.`,
  });
  const known = await lockedHost(em, input.hostname);
  if (known !== null) return known;
  const host = em.create(AgentHost, {
    hostname: input.hostname,
    agentVersion: input.agent_version,
    platform: input.platform,
    busPublicKey: input.public_key,
  });
  await flushKeyed(em);
  return host;
}

/** Keys are unique across licenses. The refusal reveals only that some other host has the key. */
function flushKeyed(em: EntityManager): Promise<void> {
  return refusing(
    {
      agent_host_bus_public_key_key: () =>
        new DomainError(
          'public_key_taken',
          'Another host already uses this key. Generate a new key for this host.',
        ),
    },
    () => em.flush(),
  );
}

/** Cuts agents off the bus. */
export class AgentAccess {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Ends the connection of a host that floods the bus. It gets new sessions again a minute later. */
  async cutOff(hostId: string): Promise<void> {
    await this.#platform.transact('agents', async (em) => {
      const host = await em.findOne(AgentHost, hostId);
      if (host === null) return;
      host.floodedAt = new Date();
      await revokeKeys(em, host.licenseId, [host.busPublicKey]);
    });
  }

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

/** Locks the license's status until the commit, so that a concurrent revocation sees every key. */
async function refuseRevoked(em: EntityManager, licenseId: string): Promise<void> {
  const [license] = await em.execute<{ status: string }[]>('select license_status_held(?) as status', [
    licenseId,
  ]);
  if (license?.status !== 'active') throw licenseRevoked();
}

/** Call it while the license is locked: the token may have been replaced since the caller was authenticated. */
async function refuseReplaced(em: EntityManager, ctx: Ctx): Promise<void> {
  const tokenHash = ctx.companionTokenHash;
  const held = await em.count(License, {
    id: ctx.licenseId,
    $or: [
      { companionTokenHash: tokenHash },
      { formerCompanionTokenHash: tokenHash, formerCompanionTokenExpiresAt: { $gt: new Date() } },
    ],
  });
  if (held === 0) throw unauthorized();
}

/** The rows commit with the change that needs them; the job updates the broker. */
export async function revokeKeys(em: EntityManager, licenseId: string, publicKeys: string[]): Promise<void> {
  if (publicKeys.length === 0) return;
  await em.execute('select revoke_bus_keys(?, ?::text[])', [licenseId, `{${publicKeys.join(',')}}`]);
  await enqueueJob(em, 'publish-revocations', {}, { key: 'publish-revocations' });
}

/** Every changed key lengthens the list that the broker receives, so each license has a limit. */
export async function refuseKeyStorm(em: EntityManager, licenseId: string): Promise<void> {
  const [row] = await em.execute<{ recent: number }[]>('select recent_key_revocations(?) as recent', [
    licenseId,
  ]);
  if ((row?.recent ?? 0) >= maxKeyChanges) {
    throw new DomainError(
      'limit_reached',
      'Too many hosts of this license have changed their keys; try again in 15 minutes.',
    );
  }
}
