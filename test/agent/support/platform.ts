// A stand-in for the platform: hands out sessions, replies to agents, and checks every message against the contract.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect, headers } from '@nats-io/transport-node';
import type { ConnectionOptions, Msg, NatsConnection } from '@nats-io/transport-node';
import { Messages } from '../../../agent/src/messages.ts';
import type { CommandEnvelope, ConsoleLine, Schemas } from '../../../agent/src/messages.ts';
import { until } from '../../support/until.ts';

export interface Credentials {
  jwt: string;
  expiresAt: Date;
}
export interface PlatformOptions {
  natsUrl: string;
  connection?: ConnectionOptions;
  mint?: (hostId: string, publicKey: string) => Credentials;
  heartbeatSeconds?: number;
}

const schemaOf: Record<string, keyof Schemas> = {
  hello: 'Hello',
  heartbeat: 'Heartbeat',
  'instance-state': 'InstanceStateChange',
  'command-result': 'CommandResult',
  backups: 'BackupReport',
  'managed-instances': 'ManagedInstancesReport',
  'wipe-status': 'WipeReport',
  console: 'ConsoleBatch',
  bye: 'Bye',
};
const never: Credentials = { jwt: 'e30.e30.e30', expiresAt: new Date(Date.now() + 3600_000) };

export class StandInPlatform {
  readonly hostId = randomUUID();
  token = `gtc_${randomUUID()}`;
  readonly sessions: Record<string, unknown>[] = [];
  /** Public keys that it knows as another host's. */
  readonly takenKeys = new Set<unknown>();
  readonly hellos: Schemas['Hello'][] = [];
  readonly heartbeats: Schemas['Heartbeat'][] = [];
  /** What its last heartbeat said of the host's clock. */
  clockOffsetMs = NaN;
  readonly states: Schemas['InstanceStateChange'][] = [];
  readonly results: Schemas['CommandResult'][] = [];
  readonly wipeReports: Schemas['WipeReport'][] = [];
  readonly batches: { atMs: number; batch: Schemas['ConsoleBatch'] }[] = [];
  readonly backupReports: Schemas['BackupReport'][] = [];
  readonly managedReports: Schemas['ManagedInstancesReport'][] = [];
  readonly byes: Schemas['Bye'][] = [];
  /** What broke the contract; empty at the end of every test. */
  readonly violations: string[] = [];
  /** Kinds that get no reply, as from a platform that hangs. */
  readonly silent = new Set<string>();
  /** The status of the next sessions, while there are any. */
  readonly refusals: (number | 'hostname_taken')[] = [];
  natsUrl: string;
  readonly #options: PlatformOptions;
  readonly #messages = new Messages();
  readonly #http: Server;
  #nats: NatsConnection | null = null;

  private constructor(options: PlatformOptions) {
    this.#options = options;
    this.natsUrl = options.natsUrl;
    this.#http = createServer((request, response) => void this.#openSession(request, response));
  }

  static async start(options: PlatformOptions): Promise<StandInPlatform> {
    const platform = new StandInPlatform(options);
    platform.#http.listen(0, '127.0.0.1');
    await once(platform.#http, 'listening');
    await platform.join();
    return platform;
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  /** Handles requests for a WebSocket. */
  onUpgrade(take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void {
    this.#http.on('upgrade', take);
  }

  get nats(): NatsConnection {
    if (this.#nats === null) throw new Error('the platform is not on the bus');
    return this.#nats;
  }

  async join(): Promise<void> {
    await this.leave();
    this.#nats = await connect({
      servers: this.natsUrl,
      reconnectTimeWait: 50,
      maxReconnectAttempts: -1,
      ...this.#options.connection,
    });
    this.#nats.subscribe(`gantry.${this.hostId}.up.>`, {
      callback: (_error, message) => this.#receive(message),
    });
    await this.#nats.flush();
  }

  async leave(): Promise<void> {
    await this.#nats?.close();
    this.#nats = null;
  }

  async close(): Promise<void> {
    await this.leave();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  command(
    verb: Schemas['CommandVerb'],
    instance = 'main',
    overrides: Partial<CommandEnvelope> = {},
  ): CommandEnvelope {
    return {
      v: 1,
      id: randomUUID(),
      host_id: this.hostId,
      instance,
      verb,
      args: {},
      issued_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + 60_000).toISOString(),
      ...overrides,
    };
  }

  async send(command: CommandEnvelope, verb: string = command.verb): Promise<Schemas['CommandReply']> {
    return this.request('CommandReply', `cmd.${verb}`, command);
  }

  async request<K extends keyof Schemas>(
    kind: K,
    subject: string,
    body: unknown,
    lifetimeMs?: number,
  ): Promise<Schemas[K]> {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = headers();
    if (lifetimeMs !== undefined) sent.set('Gantry-Lifetime-Ms', String(lifetimeMs));
    const received = await this.nats.request(`gantry.${this.hostId}.${subject}`, payload, {
      timeout: 5_000,
      headers: sent,
    });
    const parsed = this.#messages.parse(kind, received.string());
    if (!parsed.isValid) throw new Error(`${kind}: ${parsed.detail}: ${received.string()}`);
    return parsed.value;
  }

  /** Sends the command and waits for its result. */
  async run(
    verb: Schemas['CommandVerb'],
    instance = 'main',
    args: CommandEnvelope['args'] = {},
  ): Promise<Schemas['CommandResult']> {
    const command = this.command(verb, instance, { args });
    // Between two connections no request is served; the platform would send the command again after the next hello.
    const reply = await until(() => this.send(command).catch(() => undefined), `the reply to ${verb}`);
    if (!reply.accepted) throw new Error(`${verb} refused: ${reply.reason} ${reply.detail}`);
    return this.resultOf(command.id);
  }

  resultOf(commandId: string): Promise<Schemas['CommandResult']> {
    return until(
      () => this.results.find((result) => result.command_id === commandId),
      `the result of ${commandId}`,
    );
  }

  tail(question: Partial<Schemas['ConsoleTailRequest']> = {}): Promise<Schemas['ConsoleTailReply']> {
    const body = { v: 1, host_id: this.hostId, instance: 'main', limit: 200, ...question };
    return this.request('ConsoleTailReply', 'ask.console-tail', body);
  }

  type(
    line: string,
    overrides: Partial<Schemas['ConsoleInputRequest']> = {},
  ): Promise<Schemas['ConsoleInputReply']> {
    const expires_at = new Date(Date.now() + 5_000).toISOString();
    const body = {
      v: 1,
      host_id: this.hostId,
      instance: 'main',
      line,
      by: 'owner@example.com',
      expires_at,
      ...overrides,
    };
    return this.request('ConsoleInputReply', 'ask.console-input', body);
  }

  lines(instance = 'main'): ConsoleLine[] {
    return this.batches.flatMap(({ batch }) => (batch.instance === instance ? batch.lines : []));
  }

  untilLine(text: string, instance = 'main'): Promise<ConsoleLine> {
    return until(
      () => this.lines(instance).findLast((line) => line.text.includes(text)),
      `the line "${text}"`,
    );
  }

  statesOf(instance = 'main'): Schemas['InstanceStateChange'][] {
    return this.states.filter((change) => change.instance === instance);
  }

  /** Waits until this is the newest state that was reported. */
  untilState(state: Schemas['InstanceState'], instance = 'main'): Promise<Schemas['InstanceStateChange']> {
    return until(() => {
      const newest = this.statesOf(instance).at(-1);
      return newest?.state === state && newest;
    }, `the state ${state} of ${instance}`);
  }

  async #openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const refusal = this.refusals.shift();
    const isKnown = request.headers.authorization === `Bearer ${this.token}`;
    if (refusal === 'hostname_taken') return refuse(response, 409, refusal);
    if (refusal !== undefined || !isKnown || request.url !== '/api/agent/session') {
      refuse(response, refusal ?? 401, 'unauthenticated');
      return;
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    if (this.takenKeys.has(body['public_key'])) {
      refuse(response, 409, 'public_key_taken');
      return;
    }
    this.sessions.push(body);
    const { jwt, expiresAt } = this.#options.mint?.(this.hostId, String(body['public_key'])) ?? never;
    const session = {
      host_id: this.hostId,
      heartbeat_interval_seconds: this.#options.heartbeatSeconds ?? 1,
      server_time: new Date().toISOString(),
      bus: { urls: [this.natsUrl], jwt, expires_at: expiresAt.toISOString(), prefix: 'gantry' },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(session));
  }

  #receive(message: Msg): void {
    const [, , , kind = ''] = message.subject.split('.');
    const schema = schemaOf[kind];
    const parsed = schema === undefined ? null : this.#messages.parse(schema, message.string());
    if (parsed === null || !parsed.isValid) {
      this.violations.push(
        `${message.subject}: ${parsed?.detail ?? 'unknown kind'}: ${message.string().slice(0, 300)}`,
      );
      return;
    }
    if (this.silent.has(kind)) return;
    if (kind === 'heartbeat') this.clockOffsetMs = Number(message.headers?.get('Gantry-Clock-Offset-Ms'));
    this.#keep(kind, parsed.value);
    const server_time = new Date().toISOString();
    if (message.reply)
      message.respond(JSON.stringify({ v: 1, ok: true, ...(kind === 'hello' && { server_time }) }));
  }

  #keep(kind: string, value: unknown): void {
    if (kind === 'hello') this.hellos.push(value as Schemas['Hello']);
    if (kind === 'heartbeat') this.heartbeats.push(value as Schemas['Heartbeat']);
    if (kind === 'instance-state') this.states.push(value as Schemas['InstanceStateChange']);
    if (kind === 'command-result') this.results.push(value as Schemas['CommandResult']);
    if (kind === 'backups') this.backupReports.push(value as Schemas['BackupReport']);
    if (kind === 'managed-instances') this.managedReports.push(value as Schemas['ManagedInstancesReport']);
    if (kind === 'wipe-status') this.wipeReports.push(value as Schemas['WipeReport']);
    if (kind === 'console')
      this.batches.push({ atMs: performance.now(), batch: value as Schemas['ConsoleBatch'] });
    if (kind === 'bye') this.byes.push(value as Schemas['Bye']);
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const problem = { type: 'about:blank', title: 'Refused', status, code };
  response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
}
