// Relays commands to their hosts in the order in which they were created.
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Announcements } from '../../bus/announcements.ts';
import type { Bus } from '../../bus/bus.ts';
import { BadMessage } from '../../bus/messages.ts';
import type { BusSchemas } from '../../platform-contract/bus-types.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { DomainError } from '../../errors.ts';
import { enqueueRelay, enqueueRelays } from '../../queue/enqueue.ts';
import { followEnds } from './completion.ts';
import type { CommandEnd } from './index.ts';
import type { MapLinks } from '../maps/links.ts';

interface WaitingCommand {
  id: string;
  license_id: string;
  instance_id: string | null;
  kind: BusSchemas['CommandVerb'];
  args: Record<string, unknown>;
  created_at: string;
  sent_at: string | null;
  expires_at: string;
  /** Null for commands that concern the whole host. */
  instance: string | null;
}

/** `offline`: the agent's next hello starts a relay. `silent`: the agent is connected, but gave no valid reply. */
type Outcome = 'taken' | 'offline' | 'silent';

/** Delay before a silent agent is asked again; it recognises a repeated command by its id. */
const retryMs = 2_000;

/** Maximum duration of a run, so that a busy or slow host does not delay others. */
const maxRunMs = 5_000;
/** Longer than a run plus the last reply it waits for, with a margin. */
const leaseSeconds = 12;

/** A command that was sent and not acknowledged for this long is sent again; the agent recognises its id. */
const resendAfterSeconds = 15;

export interface RelayParts {
  platform: PlatformScope;
  bus: Bus;
  ends: Announcements<CommandEnd>;
  mapLinks: MapLinks;
  log: Logger;
}

export class CommandRelay {
  readonly #platform: PlatformScope;
  readonly #bus: Bus;
  readonly #ends: Announcements<CommandEnd>;
  readonly #mapLinks: MapLinks;
  readonly #log: Logger;

  constructor({ platform, bus, ends, mapLinks, log }: RelayParts) {
    this.#platform = platform;
    this.#ends = ends;
    this.#bus = bus;
    this.#mapLinks = mapLinks;
    this.#log = log;
  }

  /** Sends the host its waiting commands. A lease allows one relay per host at a time, which keeps the order. */
  async relay(hostId: string): Promise<void> {
    const leasedUntil = await this.#lease(hostId);
    if (leasedUntil === undefined) {
      await this.#relayLater(hostId, 1_000);
      return;
    }
    const deadline = Date.now() + maxRunMs;
    let command = await this.#next(hostId);
    const wasAsked = command !== undefined;
    let outcome: Outcome = 'taken';
    while (command !== undefined && Date.now() < deadline && outcome === 'taken') {
      outcome = await this.#send(hostId, command);
      if (outcome === 'taken') command = await this.#next(hostId, command.id);
    }
    // After a run that outlived its lease, the host may be leased to another run, which has a later end.
    await this.#platform.transact('jobs', (em) =>
      em.execute(
        `update agent_host set relay_until = null, is_silent = case when ? then ? else is_silent end
         where id = ? and relay_until = ?::timestamptz`,
        [wasAsked, outcome === 'silent', hostId, leasedUntil],
      ),
    );
    if (outcome === 'silent') await this.#relayLater(hostId, retryMs);
    else if (outcome === 'taken' && command !== undefined) await this.#relayLater(hostId, 0);
  }

  /**
   * Leases the host for the maximum duration of a run; if this process dies, the lease expires by itself. Returns when it
   * expires, or undefined if the host is leased to another run.
   */
  async #lease(hostId: string): Promise<string | undefined> {
    const [taken] = await this.#platform.transact('jobs', (em) =>
      em.execute<{ relay_until: string }[]>(
        `update agent_host set relay_until = now() + make_interval(secs => ?)
         where id = ? and (relay_until is null or relay_until < now()) returning relay_until`,
        [leaseSeconds, hostId],
      ),
    );
    return taken?.relay_until;
  }

  #relayLater(hostId: string, delayMs: number): Promise<void> {
    return this.#platform.transact('jobs', (em) => enqueueRelay(em, hostId, new Date(Date.now() + delayMs)));
  }

  /** Queues a relay for every connected host with a command that has waited too long, in case its relay was lost. */
  async resumeStuck(): Promise<void> {
    await this.#platform.transact('jobs', async (em) => {
      const hosts = await em.execute<{ host_id: string }[]>(
        `select distinct command.host_id from command join agent_host as host on host.id = command.host_id
         where command.status in ('queued', 'sent') and host.status = 'online'
           and coalesce(command.sent_at, command.created_at) < now() - make_interval(secs => ?)`,
        [resendAfterSeconds],
      );
      await enqueueRelays(
        em,
        hosts.map(({ host_id }) => host_id),
      );
    });
  }

  async #next(hostId: string, after?: string): Promise<WaitingCommand | undefined> {
    return this.#platform.read('jobs', (queries) => {
      let waiting = queries
        .selectFrom('command')
        .leftJoin('game_instance as instance', 'instance.id', 'command.instance_id')
        .innerJoin('license', 'license.id', 'command.license_id')
        .select([
          'command.id',
          'command.license_id',
          'command.instance_id',
          'command.kind',
          'command.args',
          'command.created_at',
          'command.sent_at',
          'command.expires_at',
          sql<string | null>`coalesce(instance.name, command.instance_name)`.as('instance'),
        ])
        .where('command.host_id', '=', hostId)
        .where('command.status', 'in', ['queued', 'sent'])
        .where('license.status', '=', 'active')
        .orderBy('command.id')
        .limit(1);
      if (after !== undefined) waiting = waiting.where('command.id', '>', after);
      return waiting.executeTakeFirst();
    });
  }

  /** If the agent does not take the command, the following commands wait too. */
  async #send(hostId: string, command: WaitingCommand): Promise<Outcome> {
    if (Date.parse(command.expires_at) <= Date.now()) return 'taken';
    if (!(await this.#set(command.id, `status = 'sent', sent_at = now()`, []))) return 'taken';
    try {
      const reply = await this.#bus.sendCommand(hostId, command.kind, {
        v: 1,
        id: command.id,
        host_id: hostId,
        ...(command.instance !== null && { instance: command.instance }),
        verb: command.kind,
        args: this.#argsOf(command),
        issued_at: command.created_at,
        expires_at: command.expires_at,
      });
      if (reply.reason === 'shutting_down')
        throw new DomainError('agent_offline', 'The agent is shutting down.');
      if (reply.accepted) await this.#set(command.id, `status = 'acknowledged', acknowledged_at = now()`, []);
      else {
        await this.#set(command.id, `status = 'failed', error_code = ?, detail = ?, finished_at = now()`, [
          reply.reason ?? 'internal',
          reply.detail ?? 'The agent refused the command.',
        ]);
        this.#ends.announce({ command_id: command.id });
      }
      return 'taken';
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof BadMessage)) throw error;
      this.#log.info(
        { command_id: command.id, host_id: hostId, reason: error.message },
        'a command waits for its agent',
      );
      const isOffline = error instanceof DomainError && error.code === 'agent_offline';
      // No agent received it; a command that was never sent can still be withdrawn.
      if (isOffline)
        await this.#set(command.id, `status = 'queued', sent_at = ?::timestamptz`, [command.sent_at]);
      else await this.#set(command.id, `status = 'queued'`, []);
      return isOffline ? 'offline' : 'silent';
    }
  }

  #argsOf({ args, license_id: licenseId, instance_id: instanceId }: WaitingCommand): Record<string, unknown> {
    return instanceId === null ? args : this.#mapLinks.complete(args, { licenseId, instanceId });
  }

  /** Updates the command unless its result has arrived or it was withdrawn meanwhile; returns whether it did. */
  #set(id: string, change: string, values: (string | null)[]): Promise<boolean> {
    return this.#platform.transact('jobs', async (em) => {
      const moved = await em.execute<{ id: string }[]>(
        `update command set ${change} where id = ? and status in ('queued', 'sent') returning id`,
        [...values, id],
      );
      await followEnds(em, moved);
      return moved.length > 0;
    });
  }
}
