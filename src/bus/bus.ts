// The platform's connection to NATS: requests to agents, messages from agents, talk between replicas.
import { type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { DomainError, NotReady } from '../errors.ts';
import { within } from '../process/bounded-wait.ts';
import { SparingLog } from '../process/throttled-logger.ts';
import { connectLane, essentialLanes, heartbeatLane, lanes, type Lane } from './connection.ts';
import type { BusKeys } from './keys.ts';
import { BadMessage, createBusMessages } from './messages.ts';
import { requests } from '../../generated/agent-bus.protocol.ts';
import type {
  BusSchemas,
  CommandVerb,
  ReplyOf,
  RequestOf,
  RequestVerb,
} from '../platform-contract/bus-types.ts';
import { isAnswered, requestFailure } from './request-failure.ts';
import { Subjects, type InternalTopic } from './subjects.ts';
import { lifetimeHeaders } from './time-headers.ts';

/** How long an agent has to answer. */
const answerBudgetMs = 5_000;
/** How long the server may take to reply to a ping. */
const replyMs = 2_000;
const drainMs = 3_000;

export interface BusOptions {
  url: string;
  keys: BusKeys;
  prefix: string;
  /** Called before an agent is asked; throws where the caller may not wait for one. */
  beforeAsking?: () => void;
  /** A server that does not reply to two pings, so far apart, is gone; five seconds unless given. */
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
  /** One subscriber of that name gets each message. */
  queue?: string;
}

export class Bus {
  readonly subjects: Subjects;
  readonly messages = createBusMessages();
  readonly #connections: Readonly<Record<Lane, NatsConnection>>;
  readonly #beforeAsking: () => void;
  readonly #log: Logger;
  /** Agents bring most of these lines about, as many as they like. */
  readonly #sparing = new SparingLog();
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
      for (const lane of lanes) connections[lane] = await connectLane(options, lane);
      return new Bus(connections as Record<Lane, NatsConnection>, options);
    } catch (error) {
      for (const connection of Object.values(connections)) await connection.close();
      throw error;
    }
  }

  /** Whether agents can be asked and heard. */
  get isConnected(): boolean {
    return essentialLanes.every((lane) => !this.#away.has(lane));
  }

  /** Whether agents can be asked; what they report may take another way. */
  get canAsk(): boolean {
    return !this.#away.has('platform');
  }

  /** Since when the connection holds, in milliseconds of Unix time. */
  get connectedSince(): number {
    return this.#connectedSince;
  }

  /** How often that connection was lost. */
  lossCountOf(lane: Lane): number {
    return this.#losses.get(lane) ?? 0;
  }

  /** Resolves once every heartbeat is received that had reached the server; rejects when that takes longer. */
  async catchUpWithHeartbeats(timeoutMs = answerBudgetMs): Promise<void> {
    await within(timeoutMs, this.#connections[heartbeatLane].flush());
  }

  /** Whether the server checks credentials; one that does not lets anybody pass for any agent. */
  get isGuarded(): boolean {
    return this.#connections.platform.info?.auth_required === true;
  }

  /** Sends a command and answers what the agent said to it. Throws `agent_offline` or `agent_timeout`. */
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
      lane: verb.startsWith('file-') ? 'files' : 'platform',
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

  /** Sends or fetches one part of a file: a line of JSON and bytes, either way. */
  exchangeFileChunk(hostId: string, chunk: Uint8Array): Promise<Uint8Array> {
    return this.#request(this.subjects.request(hostId, 'file-chunk'), chunk, { lane: 'files' });
  }

  async #request(
    subject: string,
    message: string | Uint8Array,
    { lane = 'platform', timeoutMs = answerBudgetMs, headers }: RequestOptions = {},
  ): Promise<Uint8Array> {
    this.#beforeAsking();
    if (this.#away.has(lane))
      throw new DomainError('unavailable', 'The message bus can not be reached; try again soon.');
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
   * Answers a request of an agent. NATS does not check reply subjects, so an answer goes only to an inbox of the
   * host that asked: it could otherwise be made to arrive as somebody else's command.
   */
  respond(message: Msg, hostId: string, answer: object): void {
    if (message.reply === undefined || message.reply === '') return;
    if (!message.reply.startsWith(this.subjects.inbox(hostId))) {
      this.#sparing.once(`reply ${hostId}`, () =>
        this.#log.warn(
          { host_id: hostId, subject: message.subject },
          'an agent asked to be answered at another inbox',
        ),
      );
      return;
    }
    message.respond(JSON.stringify(answer));
  }

  /** Tells the other replicas; lost when the bus is away, so they also look for themselves now and then. */
  publishInternal(topic: InternalTopic, message: object): void {
    if (this.#away.has('platform')) return;
    this.#connections.platform.publish(this.subjects.internal(topic), JSON.stringify(message));
  }

  /** Throws unless a server replies on the connection that agents are asked through. */
  async checkReachable(timeoutMs = replyMs): Promise<void> {
    if (!this.canAsk) throw new NotReady('can not be reached');
    await within(timeoutMs, this.#connections.platform.rtt());
  }

  /** Delivers what was received, sends what was published, and closes; a server that does not reply is not waited for. */
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
        this.#sparing.once(`error ${lane} ${error.name}`, () =>
          this.#log.error({ err: error, lane }, 'message bus'),
        );
      }
    }
    this.#away.add(lane);
  }
}

/** Whether the fault lies in what the agent sent. */
export const isBadMessage = (error: unknown): error is BadMessage => error instanceof BadMessage;
