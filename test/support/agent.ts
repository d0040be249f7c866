// An agent driven by a test, over the real bus with real credentials.
import { randomUUID } from 'node:crypto';
import { connect, type ConnectionOptions, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Test } from 'supertest';
import { authenticatorOf, createUserKey } from '../../shared/nkeys.ts';
import type { components } from '../../generated/agent-bus.d.ts';
import type { components as platformComponents } from '../../generated/platform.d.ts';
import { UserJwtSigner } from '../../src/bus/keys.ts';
import { createInstance } from './rows.ts';
import type { Tenant, World } from './world.ts';

type BusSchemas = components['schemas'];
export type AgentSession = platformComponents['schemas']['AgentSession'];

/** The nkey that an agent generates for itself. */
export interface AgentKey {
  publicKey: string;
  seed: Uint8Array;
}

export const createAgentKey = (): AgentKey => createUserKey();

/** A request for an agent's session. */
export function openSession(world: World, token: string, hostname: string, publicKey: string): Test {
  return world
    .call('post', '/api/agent/session', { token })
    .send({ hostname, public_key: publicKey, agent_version: '0.0.0-test', platform: 'test' });
}

/** A connection to the bus with an agent's credentials. */
export async function connectBus(
  world: World,
  { bus, host_id }: AgentSession,
  seed: Uint8Array,
  options: ConnectionOptions = {},
): Promise<NatsConnection> {
  const connection = await connect({
    servers: bus.urls,
    authenticator: authenticatorOf(bus.jwt, seed),
    inboxPrefix: `_INBOX_A.${host_id}`,
    reconnectTimeWait: 100,
    maxReconnectAttempts: -1,
    ...options,
  });
  world.atEnd(() => connection.close());
  return connection;
}

/** A connection that may publish and subscribe to everything, like the platform's own. */
export async function connectMonitor(world: World): Promise<NatsConnection> {
  const { nats } = world;
  const { publicKey, seed } = createAgentKey();
  const everything = { pub: { allow: ['>'] }, sub: { allow: ['>'] }, subs: -1, data: -1, payload: -1 };
  const token = new UserJwtSigner(nats.keys.platformSigning, nats.keys.account).mint(
    'monitor',
    publicKey,
    everything,
  );
  const connection = await connect({
    servers: nats.url,
    authenticator: authenticatorOf(token, seed),
  });
  world.atEnd(() => connection.close());
  return connection;
}

export class TestAgent {
  readonly hostId: string;
  readonly hostname: string;
  readonly session: AgentSession;
  readonly key: AgentKey;
  readonly connection: NatsConnection;
  /** What the broker refused this agent. */
  readonly refusals: Error[] = [];
  readonly boot = randomUUID();
  /** What the agent received, in order. */
  readonly commands: BusSchemas['CommandEnvelope'][] = [];
  #seq = 0;

  private constructor(session: AgentSession, hostname: string, key: AgentKey, connection: NatsConnection) {
    this.hostId = session.host_id;
    this.hostname = hostname;
    this.session = session;
    this.key = key;
    this.connection = connection;
    void this.#followStatus();
  }

  static async connect(
    world: World,
    { license }: Tenant,
    hostname = `host-${randomUUID().slice(0, 8)}`,
    key = createAgentKey(),
  ): Promise<TestAgent> {
    const { body } = await openSession(world, license.companion_token, hostname, key.publicKey).expect(200);
    const session = body as AgentSession;
    return new TestAgent(session, hostname, key, await connectBus(world, session, key.seed));
  }

  subject(rest: string, hostId = this.hostId): string {
    return `${this.session.bus.prefix}.${hostId}.${rest}`;
  }

  /** Accepts every command, or replies with the result of `reply`. */
  acceptCommands(
    reply: (envelope: BusSchemas['CommandEnvelope']) => object = ({ id }) => ({ v: 1, id, accepted: true }),
  ): void {
    this.connection.subscribe(this.subject('cmd.>'), {
      callback: (_error, message) => {
        const envelope = message.json<BusSchemas['CommandEnvelope']>();
        this.commands.push(envelope);
        message.respond(JSON.stringify(reply(envelope)));
      },
    });
  }

  onRequest(verb: string, response: (question: Record<string, unknown>) => object): void {
    this.connection.subscribe(this.subject(`ask.${verb}`), {
      callback: (_error, message) => void message.respond(JSON.stringify(response(message.json()))),
    });
  }

  heartbeat(
    instances: BusSchemas['InstanceReport'][],
    overrides: Partial<BusSchemas['Heartbeat']> = {},
  ): BusSchemas['Heartbeat'] {
    return {
      v: 1,
      sent_at: new Date().toISOString(),
      boot: this.boot,
      seq: ++this.#seq,
      agent_version: '0.0.0-test',
      host: {
        cpu_percent: 10,
        memory_used_bytes: 1,
        memory_total_bytes: 2,
        disk_used_bytes: 3,
        disk_total_bytes: 4,
      },
      instances,
      ...overrides,
    };
  }

  publish(kind: string, message: unknown, hostId?: string): void {
    this.connection.publish(
      this.subject(`up.${kind}`, hostId),
      typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message),
    );
  }

  /** A request on `up`, which the platform replies to. */
  async request(kind: string, message: object): Promise<{ ok: boolean; detail?: string }> {
    const reply: Msg = await this.connection.request(this.subject(`up.${kind}`), JSON.stringify(message), {
      timeout: 20_000,
    });
    return reply.json();
  }

  async hello(
    instances: string[] = [],
    { boot = this.boot, sent_at = new Date().toISOString() }: { boot?: string; sent_at?: string } = {},
  ): Promise<{ ok: boolean }> {
    return this.request('hello', {
      v: 1,
      sent_at,
      agent_version: '0.0.0-test',
      boot,
      platform: 'test',
      instances,
    });
  }

  async finish(
    commandId: string,
    result: Partial<BusSchemas['CommandResult']> = {},
  ): Promise<{ ok: boolean }> {
    return this.request('command-result', {
      v: 1,
      command_id: commandId,
      status: 'succeeded',
      finished_at: new Date().toISOString(),
      ...result,
    });
  }

  /** Publishes to that subject and returns whether the broker allowed it. */
  async mayPublish(subject: string, message: object = {}): Promise<boolean> {
    const before = this.refusals.length;
    this.connection.publish(subject, JSON.stringify(message));
    await this.connection.flush();
    await new Promise(setImmediate);
    return this.refusals.length === before;
  }

  /** Subscribes to that subject and returns whether the broker allowed it. */
  async maySubscribe(subject: string, queue?: string): Promise<boolean> {
    const subscription = this.connection.subscribe(subject, {
      ...(queue !== undefined && { queue }),
      callback: () => undefined,
    });
    let isRefused = false;
    void subscription.closed.then(() => (isRefused = true));
    await this.connection.flush();
    if (!isRefused) subscription.unsubscribe();
    return !isRefused;
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  async #followStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'error') this.refusals.push(status.error);
    }
  }
}

/** An agent that accepts every command, with one instance. */
export async function connectAcceptingAgent(
  world: World,
  tenant: Tenant,
  values: Record<string, unknown> = {},
) {
  const agent = await TestAgent.connect(world, tenant);
  agent.acceptCommands();
  await agent.connection.flush();
  const instanceId = await createInstance(world, tenant, {
    host_id: agent.hostId,
    name: 'main',
    ...values,
  });
  return { agent, instanceId };
}
