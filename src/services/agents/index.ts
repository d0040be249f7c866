// Opens bus sessions for agents with a companion token, and cuts agents off the bus.
import { LockMode } from '@mikro-orm/core';
import type { AgentCredentials, Credentials } from '../../bus/agent-credentials.ts';
import { licenseRevoked, type AgentCredential, type Ctx, type Principal } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { AgentHost, License } from '../../entities/index.ts';
import { DomainError, unauthorized } from '../../errors.ts';
import { enqueueJob } from '../../queue/enqueue.ts';
import { hashSecret, looksLikeCompanionToken } from '../../secrets/random-secrets.ts';
import {
  bindHost,
  refuseFlooder,
  refuseInvalidKey,
  refuseRevoked,
  type AgentClaims,
} from './host-binding.ts';
import { signerOf } from './signed-tokens.ts';

/** Maximum key changes of a license within the lifetime of credentials. */
export const maxKeyChanges = 200;

type OwnKey = Extract<AgentCredential, { hostId: string }>;

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

  /** Returns the principal of the license with this companion token, or of the host whose key signed the token. */
  async companionOf(token: string): Promise<Principal> {
    if (!looksLikeCompanionToken(token)) return this.#hostOf(token);
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
      credential: { tokenHash },
    };
  }

  /** Returns the principal of an enrolled host that signs in with its own key. */
  async #hostOf(token: string): Promise<Principal> {
    const publicKey = signerOf(token, Date.now());
    if (publicKey === undefined) throw unauthorized();
    const host = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('agent_host as host')
        .innerJoin('license', 'license.id', 'host.license_id')
        .select([
          'host.id',
          'host.hostname',
          'host.license_id',
          'host.key_reset_expires_at',
          'license.status',
        ])
        .where('host.bus_public_key', '=', publicKey)
        .where('host.has_own_credential', '=', true)
        .executeTakeFirst(),
    );
    if (host === undefined) throw unauthorized();
    if (host.status === 'revoked') throw licenseRevoked();
    if (host.key_reset_expires_at !== null) throw unauthorized();
    return {
      kind: 'companion',
      actor: { kind: 'companion', id: host.license_id, label: `agent of ${host.hostname}` },
      license: { id: host.license_id, role: 'companion', permissions: {}, isRevoked: false },
      credential: { hostId: host.id, publicKey },
    };
  }

  /** Returns the public key of a host that may have a session now; undefined if there is none. */
  async keyOf(hostId: string): Promise<string | undefined> {
    const host = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('agent_host as host')
        .innerJoin('license', 'license.id', 'host.license_id')
        .select('host.bus_public_key')
        .where('host.id', '=', hostId)
        .where('host.key_reset_expires_at', 'is', null)
        .where('license.status', '!=', 'revoked')
        .executeTakeFirst(),
    );
    return host?.bus_public_key;
  }

  /** Issues bus credentials for the host. The first session enrolls the host and binds it to its key. */
  async openSession(ctx: Ctx, input: Schemas['AgentSessionCreate']): Promise<AgentSession> {
    refuseInvalidKey(input.public_key);
    const { agentCredential } = ctx;
    const hostId = await ctx.transact(async (em) => {
      await refuseRevoked(em, ctx.licenseId);
      if ('hostId' in agentCredential) return ownHost(em, agentCredential, input);
      await refuseReplaced(em, ctx.licenseId, agentCredential.tokenHash);
      const { id } = await bindHost(em, { ...input, licenseId: ctx.licenseId, hasOwnCredential: false });
      return id;
    });
    const credentials = this.#credentials.mint(hostId, input.public_key);
    return { ...this.#settings, hostId, credentials, serverTime: new Date() };
  }
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

/** Returns the host that the caller's own key belongs to. Its name was given when it was enrolled. */
async function ownHost(
  em: EntityManager,
  { hostId, publicKey }: OwnKey,
  input: AgentClaims,
): Promise<string> {
  const host = await em.findOne(AgentHost, hostId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  // The key may have been reset since the caller was authenticated.
  if (host?.busPublicKey !== publicKey || input.public_key !== publicKey || host.keyResetExpiresAt !== null)
    throw unauthorized();
  refuseFlooder(host);
  em.assign(host, { agentVersion: input.agent_version, platform: input.platform });
  await em.flush();
  return host.id;
}

/** Call it while the license is locked: the token may have been replaced since the caller was authenticated. */
async function refuseReplaced(em: EntityManager, licenseId: string, tokenHash: string): Promise<void> {
  const held = await em.count(License, {
    id: licenseId,
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
