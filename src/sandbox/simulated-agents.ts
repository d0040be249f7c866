// Runs the simulated agents of sandboxes: takes commands and requests from the bus, and reports to the platform over it.
import { randomUUID } from 'node:crypto';
import type { Msg, Subscription } from '@nats-io/transport-node';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Logger } from 'pino';
import { isFileVerb } from '../../generated/agent-bus.protocol.ts';
import type { Bus } from '../bus/bus.ts';
import type { BusSchemas, RequestVerb } from '../platform-contract/bus-types.ts';
import { DomainError } from '../errors.ts';
import { takeCommand } from './commands.ts';
import { FileTransfers } from './files.ts';
import { heartbeatOf } from './heartbeat.ts';
import { respond } from './requests.ts';
import { sendHello, type PlayerSign, type SimulatedHost } from './state.ts';
import type { Acted, StoredHosts } from './stored-hosts.ts';

/** If the process dies, another one runs its hosts after `seconds`. */
const leases = { seconds: 20, renewedSeconds: 8 };
const maxDue = 200;
const hostsAtOnce = 4;

export interface SimulatedAgentsParts {
  hosts: StoredHosts;
  bus: Bus;
  /** Reports players who joined and left, as the plugin of their game server would. */
  recordSigns: (licenseId: string, signs: readonly PlayerSign[]) => Promise<unknown>;
  log: Logger;
}

interface Running {
  /** Whether the platform knows that the agent takes commands. */
  hasGreeted: boolean;
  subscriptions: Subscription[];
  transfers: FileTransfers;
}

export class SimulatedAgents {
  readonly #parts: SimulatedAgentsParts;
  readonly #owner = randomUUID();
  readonly #running = new Map<string, Running>();
  /** Messages of one host are sent one after the other. */
  readonly #queues = new Map<string, LimitFunction>();

  constructor(parts: SimulatedAgentsParts) {
    this.#parts = parts;
  }

  /** Leases hosts, and listens for those of this process; commands that waited for it are sent then. */
  async refresh(): Promise<void> {
    const leased = new Set(await this.#parts.hosts.lease(this.#owner, leases));
    for (const hostId of this.#running.keys()) if (!leased.has(hostId)) this.#stop(hostId);
    const fresh = [...leased].filter((hostId) => !this.#running.has(hostId));
    for (const hostId of fresh) this.#start(hostId);
    if (fresh.length > 0) await this.beat(fresh);
    await pLimit(hostsAtOnce).map([...this.#running], ([hostId, running]) => this.#greet(hostId, running));
  }

  /** Sends a heartbeat of every host of this process. */
  async beat(hostIds: readonly string[] = [...this.#running.keys()]): Promise<void> {
    const { hosts, bus } = this.#parts;
    for (const { hostId, host, nowMs } of await hosts.read(hostIds))
      if (!host.isSilent)
        bus.publishAs(bus.subjects.fromHost(hostId, 'heartbeat'), heartbeatOf(host, Date.now(), nowMs));
  }

  /** Takes the steps that are due, and sends what could not be sent before. */
  async stepDue(): Promise<void> {
    const due = await this.#parts.hosts.due(this.#owner, maxDue);
    await pLimit(hostsAtOnce).map(due, (hostId) => this.act(hostId, () => undefined));
  }

  /** Takes the due steps of a host, does the work, and sends what the host then reports. */
  async act<T>(hostId: string, work: (host: SimulatedHost, nowMs: number) => T): Promise<T | undefined> {
    const acted = await this.#parts.hosts.act(hostId, work);
    if (acted === undefined) return undefined;
    this.#publishLines(hostId, acted);
    await this.#sendAll(hostId, acted);
    return acted.result;
  }

  /** Players of unused sandboxes neither come nor go. */
  markUnused(): Promise<void> {
    return this.#parts.hosts.markUnused();
  }

  async close(): Promise<void> {
    for (const hostId of [...this.#running.keys()]) this.#stop(hostId);
    await this.#parts.hosts.release(this.#owner);
  }

  /** Stores the greeting, which is sent until the platform has acknowledged it. */
  async #greet(hostId: string, running: Running): Promise<void> {
    if (running.hasGreeted) return;
    await this.act(hostId, (host, nowMs) => {
      if (!host.isSilent) sendHello(host, nowMs);
    });
    running.hasGreeted = true;
  }

  #start(hostId: string): void {
    const { bus } = this.#parts;
    const transfers = new FileTransfers();
    const receive = (take: (message: Msg) => Promise<void>) => (message: Msg) => {
      take(message).catch((error: unknown) =>
        this.#parts.log.error({ err: error, host_id: hostId }, 'a simulated host failed'),
      );
    };
    this.#running.set(hostId, {
      hasGreeted: false,
      transfers,
      subscriptions: [
        bus.subscribe(
          bus.subjects.commandsOf(hostId),
          receive((message) => this.#takeCommand(hostId, transfers, message)),
          { lane: 'platform' },
        ),
        bus.subscribe(
          bus.subjects.requestsOf(hostId),
          receive((message) => this.#takeRequest(hostId, transfers, message)),
          { lane: 'platform' },
        ),
      ],
    });
  }

  #stop(hostId: string): void {
    const running = this.#running.get(hostId);
    this.#running.delete(hostId);
    running?.transfers.close();
    for (const subscription of running?.subscriptions ?? []) subscription.unsubscribe();
  }

  async #takeCommand(hostId: string, { uploads }: FileTransfers, message: Msg): Promise<void> {
    const envelope = message.json<BusSchemas['CommandEnvelope']>();
    const acted = await this.#parts.hosts.act(hostId, (host, nowMs) =>
      host.isSilent ? undefined : takeCommand(host, envelope, nowMs, uploads),
    );
    if (acted?.result === undefined) return;
    message.respond(JSON.stringify(acted.result));
    this.#publishLines(hostId, acted);
    await this.#sendAll(hostId, acted);
  }

  async #takeRequest(hostId: string, transfers: FileTransfers, message: Msg): Promise<void> {
    const verb = message.subject.slice(message.subject.lastIndexOf('.') + 1) as RequestVerb;
    if (verb === 'file-chunk') {
      message.respond(transfers.exchange(message.data));
      return;
    }
    const request = message.json<Parameters<FileTransfers['respond']>[2]>();
    const acted = await this.#parts.hosts.act(hostId, (host, nowMs) => {
      if (host.isSilent) return undefined;
      return isFileVerb(verb)
        ? transfers.respond(host, verb, request, nowMs)
        : respond(host, verb, request, nowMs);
    });
    if (acted?.result === undefined) return;
    message.respond(JSON.stringify(acted.result));
    this.#publishLines(hostId, acted);
    await this.#sendAll(hostId, acted);
  }

  #publishLines(hostId: string, { host, formerLines }: Acted<unknown>): void {
    const { bus } = this.#parts;
    if (host.isSilent) return;
    for (const [instance, { lines }] of Object.entries(host.servers)) {
      const fresh = lines.filter(({ seq }) => seq > (formerLines[instance] ?? 0));
      if (fresh.length > 0)
        bus.publishAs(bus.subjects.console(hostId, instance), {
          v: 1,
          instance,
          boot: host.boot,
          lines: fresh,
        });
    }
  }

  /** Sends everything that waits. What is not acknowledged stays stored, and is sent again. */
  async #sendAll(hostId: string, { host, licenseId }: Acted<unknown>): Promise<void> {
    if (host.isSilent || host.outbox.length + host.signs.length === 0) return;
    const queue = this.#queues.get(hostId) ?? pLimit(1);
    this.#queues.set(hostId, queue);
    try {
      await queue(() => this.#sendNow(hostId, { host, licenseId }));
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) this.#queues.delete(hostId);
    }
  }

  async #sendNow(
    hostId: string,
    { host, licenseId }: Pick<Acted<unknown>, 'host' | 'licenseId'>,
  ): Promise<void> {
    const sent = new Set<string>();
    try {
      for (const { id, kind, message } of host.outbox) {
        const { ok, detail } = await this.#parts.bus.reportAs(hostId, kind, message);
        if (!ok)
          this.#parts.log.warn({ host_id: hostId, kind, detail }, 'a report of a simulated host was refused');
        sent.add(id);
      }
      if (host.signs.length > 0) await this.#parts.recordSigns(licenseId, host.signs);
      for (const { id } of host.signs) sent.add(id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#parts.log.debug({ err: error, host_id: hostId }, 'a simulated host repeats its reports later');
    } finally {
      if (sent.size > 0)
        await this.#parts.hosts.act(hostId, (stored) => {
          stored.outbox = stored.outbox.filter(({ id }) => !sent.has(id));
          stored.signs = stored.signs.filter(({ id }) => !sent.has(id));
        });
    }
  }
}
