// Binds hosts to the keys of their agents, and refuses agents that claim another machine's host.
import { LockMode } from '@mikro-orm/core';
import { isPublicKey } from '../../bus/keys.ts';
import { licenseRevoked } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import { AgentHost } from '../../entities/index.ts';
import { DomainError, invalidField } from '../../errors.ts';
import { recordEvent } from '../../events/record.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';

export const maxHosts = 1_000;

/** How long a host that flooded the bus gets no session, and how long its license can enroll no new hosts. */
const flooderHoldMs = 60_000;
const enrolmentHoldMs = 5 * 60_000;

/** What an agent says of its host and itself. */
export type AgentClaims = Schemas['AgentSessionCreate'];

export interface Binding extends AgentClaims {
  licenseId: string;
  /** Whether the key alone admits the host from now on, without the companion token. */
  hasOwnCredential: boolean;
}

/** Returns the host of that name, which is created if the license has none, bound to the agent's key. */
export async function bindHost(em: EntityManager, binding: Binding): Promise<AgentHost> {
  const { licenseId, hostname, agent_version: agentVersion, platform, public_key: busPublicKey } = binding;
  const known = await lockedHost(em, hostname);
  if (known !== null) refuseFlooder(known);
  const host = known ?? (await enroll(em, binding));
  refuseForeignKey(host, busPublicKey);
  const isNewKey = host.busPublicKey !== busPublicKey;
  if (isNewKey)
    await recordEvent(em, 'host.key_replaced', {
      licenseId,
      subject: host.id,
      hostId: host.id,
      data: { hostname: host.hostname },
    });
  // A host keeps its own credential when its agent also has the companion token.
  const hasOwnCredential = binding.hasOwnCredential || (host.hasOwnCredential && !isNewKey);
  em.assign(host, { agentVersion, platform, busPublicKey, hasOwnCredential, keyResetExpiresAt: null });
  await flushKeyed(em);
  return host;
}

export function refuseInvalidKey(publicKey: string): void {
  if (isPublicKey(publicKey)) return;
  throw invalidField({
    in: 'body',
    pointer: '/public_key',
    detail: 'must be a public nkey with a valid checksum',
  });
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

export function refuseFlooder({ hostname, floodedAt }: AgentHost): void {
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
async function enroll(em: EntityManager, { licenseId, ...input }: Binding): Promise<AgentHost> {
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

/** Locks the license's status until the commit, so that a concurrent revocation sees every key. */
export async function refuseRevoked(em: EntityManager, licenseId: string): Promise<void> {
  const [license] = await em.execute<{ status: string }[]>('select license_status_held(?) as status', [
    licenseId,
  ]);
  if (license?.status !== 'active') throw licenseRevoked();
}
