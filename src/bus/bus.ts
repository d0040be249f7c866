// The platform's connection to NATS: requests to agents, messages from agents, messages between replicas.
import { randomUUID } from 'node:crypto';
import type { Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { DomainError, isRefusal, NotReady } from '../errors.ts';
import { within } from '../process/bounded-wait.ts';
import { ThrottledLogger } from '../process/throttled-logger.ts';
import { laneConnector, essentialLanes, heartbeatLane, lanes, type Lane } from './connection.ts';
import type { BusKeys } from './keys.ts';
import { BadMessage, createBusMessages } from './messages.ts';
import { isFileVerb, requests } from '../../generated/agent-bus.protocol.ts';
import type {
  BusSchemas,
  CommandVerb,
  ReplyOf,
  RequestOf,
  RequestVerb,
  UpKind,
} from '../platform-contract/bus-types.ts';
import { requestFailure } from './request-failure.ts';
import { Subjects, type InternalTopic } from './subjects.ts';
import { lifetimeHeaders } from './time-headers.ts';

/** How long an agent may take to reply. */
const replyBudgetMs = 5_000;
/** How long the server may take to reply to a ping. */
const replyMs = 2_000;
const drainMs = 3_000;

export interface BusOptions {
  url: string;
  keys: BusKeys;
  prefix: string;
  /** Called before each request to an agent; throws if the caller must not wait for one. */
  beforeAsking?: () => void;
  /** Ping interval; a server that misses two pings counts as gone. Five seconds unless given. */
  pingMs?: number | undefined;
  log: Logger;
}

interface RequestOptions {
  lane?: Lane;
  timeoutMs?: number;
  headers?: MsgHdrs;
}

interface Subscribing {
  lane: Lane;
  /** Each message goes to one subscriber of this queue group. */
  queue?: string;
}

export class Bus {
  readonly subjects: Subjects;
  readonly messages = createBusMessages();
  readonly #connections: Readonly<Record<Lane, NatsConnection>>;
  readonly #beforeAsking: () => void;
  readonly #log: Logger;
  /** Throttled, because agents can cause most of these log lines, in any number. */
  readonly #throttled = new ThrottledLogger();
  readonly #away = new Set<Lane>();
  #connectedSince = Date.now();
  readonly #losses = new Map<Lane, number>();

  private constructor(connections: Record<Lane, NatsConnection>, { prefix, beforeAsking, log }: BusOptions) {
    this.#connections = connections;
    this.subjects = new Subjects(prefix);
    this.#beforeAsking = beforeAsking ?? (() => undefined);
    this.#log = log;
    for (const lane of Object.keys(connections) as Lane[]) void this.#followStatus(lane);
  }

  static async connect(options: BusOptions): Promise<Bus> {
    const connections: Partial<Record<Lane, NatsConnection>> = {};
    try {
      const connectLane = laneConnector(options);
      for (const lane of lanes) connections[lane] = await connectLane(lane);
      return new Bus(connections as Record<Lane, NatsConnection>, options);
    } catch (error) {
      for (const connection of Object.values(connections)) await connection.close();
      throw error;
    }
  }

  /** Whether agents can be reached and heard. */
  get isConnected(): boolean {
    return essentialLanes.every((lane) => !this.#away.has(lane));
  }

  /** Whether requests to agents can be sent; agents' reports use other connections. */
  get canAsk(): boolean {
    return !this.#away.has('platform');
  }

  /** When the current connection was established, in milliseconds of Unix time. */
  get connectedSince(): number {
    return this.#connectedSince;
  }

  /** How often that connection was lost. */
  lossCountOf(lane: Lane): number {
    return this.#losses.get(lane) ?? 0;
  }

  /** Resolves once every heartbeat is received that had reached the server; rejects when that takes longer. */
  async catchUpWithHeartbeats(timeoutMs = replyBudgetMs): Promise<void> {
    await within(timeoutMs, this.#connections[heartbeatLane].flush());
  }

  /** Whether the server checks credentials; without that check, any client can impersonate any agent. */
  get isGuarded(): boolean {
    return this.#connections.platform.info?.auth_required === true;
  }

  /** Sends a command and returns the agent's reply. Throws `agent_offline` or `agent_timeout`. */
  async sendCommand(
    hostId: string,
    verb: CommandVerb,
    envelope: BusSchemas['CommandEnvelope'],
  ): Promise<BusSchemas['CommandReply']> {
    const read = this.messages.reader('CommandReply');
    const subject = this.subjects.command(hostId, verb);
    const headers = lifetimeHeaders(envelope.expires_at);
    const reply = read(await this.#request(subject, JSON.stringify(envelope), { headers }));
    if (reply.id !== undefined && reply.id !== envelope.id) throw new BadMessage('names another command');
    return reply;
  }

  /** Sends a request to an agent and returns its reply; `seconds` is how long the agent may take, five by default. */
  async ask<Verb extends Exclude<RequestVerb, 'file-chunk'>>(
    hostId: string,
    verb: Verb,
    request: RequestOf<Verb>,
    seconds?: number,
  ): Promise<ReplyOf<Verb>> {
    const reply = await this.#request(this.subjects.request(hostId, verb), JSON.stringify(request), {
      lane: isFileVerb(verb) ? 'files' : 'platform',
      ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
      ...('expires_at' in request && { headers: lifetimeHeaders(request.expires_at) }),
    });
    return this.messages.reader(requests[verb].reply)(reply) as ReplyOf<Verb>;
  }

  /** Whether the host's agent replies in time. Any reply counts: older agents refuse the verb. */
  isAgentThere(hostId: string, timeoutMs: number): Promise<boolean> {
    const request: RequestOf<'presence'> = { v: 1, host_id: hostId };
    return isAnswered(
      this.#request(this.subjects.request(hostId, 'presence'), JSON.stringify(request), { timeoutMs }),
    );
  }

  /** Sends or fetches one part of a file; both directions carry a line of JSON followed by bytes. */
  exchangeFileChunk(hostId: string, chunk: Uint8Array): Promise<Uint8Array> {
    return this.#request(this.subjects.request(hostId, 'file-chunk'), chunk, { lane: 'files' });
  }

  async #request(
    subject: string,
    message: string | Uint8Array,
    { lane = 'platform', timeoutMs = replyBudgetMs, headers }: RequestOptions = {},
  ): Promise<Uint8Array> {
    this.#beforeAsking();
    if (this.#away.has(lane))
      throw new DomainError('unavailable', 'The message bus cannot be reached; try again soon.');
    try {
      const reply = await this.#connections[lane].request(subject, message, {
        timeout: timeoutMs,
        ...(headers && { headers }),
      });
      return reply.data;
    } catch (error) {
      throw requestFailure(error, timeoutMs);
    }
  }

  /** Calls `receive` for every message. */
  subscribe(subject: string, receive: (message: Msg) => void, { lane, queue }: Subscribing): Subscription {
    return this.#connections[lane].subscribe(subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (error === null) receive(message);
        else this.#log.error({ err: error, subject }, 'a subscription failed');
      },
    });
  }

  /**
   * Replies to a request of an agent. NATS does not check reply subjects, so a reply goes only to an inbox of the
   * requesting host; otherwise it could be redirected to another host as a command.
   */
  respond(message: Msg, hostId: string, reply: object): void {
    if (message.reply === undefined || message.reply === '') return;
    if (!message.reply.startsWith(this.subjects.inbox(hostId))) {
      this.#throttled.once(`reply ${hostId}`, () =>
        this.#log.warn(
          { host_id: hostId, subject: message.subject },
          'an agent asked for a reply at another inbox',
        ),
      );
      return;
    }
    message.respond(JSON.stringify(reply));
  }

  /** Sends a report in the name of a simulated host and returns the acknowledgement. */
  async reportAs(hostId: string, kind: UpKind, message: object): Promise<BusSchemas['Acknowledgement']> {
    this.#beforeAsking();
    const reply = `${this.subjects.inbox(hostId)}${randomUUID()}`;
    const options = { timeout: replyBudgetMs, noMux: true, reply };
    try {
      const { platform } = this.#connections;
      const received = await platform.request(
        this.subjects.fromHost(hostId, kind),
        JSON.stringify(message),
        options,
      );
      return received.json<BusSchemas['Acknowledgement']>();
    } catch (error) {
      throw requestFailure(error, replyBudgetMs);
    }
  }

  /** Publishes a heartbeat or console lines of a simulated host. */
  publishAs(subject: string, message: object): void {
    if (this.#away.has('platform')) return;
    this.#connections.platform.publish(subject, JSON.stringify(message));
  }

  /**
   * Publishes to the other replicas. The message is lost while the bus is unavailable, so replicas also poll from time
   * to time.
   */
  publishInternal(topic: InternalTopic, message: object): void {
    if (this.#away.has('platform')) return;
    this.#connections.platform.publish(this.subjects.internal(topic), JSON.stringify(message));
  }

  /** Throws unless a server replies on the connection that agents are asked through. */
  async checkReachable(timeoutMs = replyMs): Promise<void> {
    if (!this.canAsk) throw new NotReady('cannot be reached');
    await within(timeoutMs, this.#connections.platform.rtt());
  }

  /** Delivers received messages, flushes published ones, and closes without waiting for an unresponsive server. */
  async drain(): Promise<void> {
    const open = Object.values(this.#connections).filter((connection) => !connection.isClosed());
    await Promise.all(
      open.map((connection) => within(drainMs, connection.drain()).catch(() => connection.close())),
    );
  }

  async #followStatus(lane: Lane): Promise<void> {
    for await (const status of this.#connections[lane].status()) {
      if (status.type === 'disconnect') {
        this.#away.add(lane);
        this.#losses.set(lane, this.lossCountOf(lane) + 1);
      }
      if (status.type === 'reconnect') {
        this.#away.delete(lane);
        if (essentialLanes.includes(lane)) this.#connectedSince = Date.now();
      }
      if (status.type === 'disconnect' || status.type === 'reconnect') {
        this.#log.warn({ status: status.type, lane }, 'message bus');
      } else if (status.type === 'error') {
        const { error } = status;
        this.#throttled.once(`error ${lane} ${error.name}`, () =>
          this.#log.error({ err: error, lane }, 'message bus'),
        );
      }
    }
    this.#away.add(lane);
  }
}

/** Whether the agent's message is at fault. */
export const isBadMessage = (error: unknown): error is BadMessage => error instanceof BadMessage;

/** Whether a reply came. Rejects if the bus is unavailable, since the agent's state is then unknown. */
async function isAnswered(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
