// An agent that does what a test tells it, over the real bus with real credentials.
import { randomUUID } from 'node:crypto';
import { connect, jwtAuthenticator, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { createUser } from '@nats-io/nkeys';
import type { components } from '../../generated/agent-bus.d.ts';
import type { components as platformComponents } from '../../generated/platform.d.ts';
import type { Tenant, World } from './world.ts';

type BusSchemas = components['schemas'];
type AgentSession = platformComponents['schemas']['AgentSession'];

export class TestAgent {
  readonly hostId: string;
  readonly session: AgentSession;
  readonly connection: NatsConnection;
  readonly boot = randomUUID();
  /** What the agent was sent, in order. */
  readonly commands: BusSchemas['CommandEnvelope'][] = [];
  #seq = 0;

  private constructor(session: AgentSession, connection: NatsConnection) {
    this.hostId = session.host_id;
    this.session = session;
    this.connection = connection;
  }

  static async connect(
    world: World,
    { license }: Tenant,
    hostname = `host-${randomUUID().slice(0, 8)}`,
  ): Promise<TestAgent> {
    const user = createUser();
    const { body } = await world
      .call('post', '/api/agent/session', { token: license.companion_token })
      .send({ hostname, public_key: user.getPublicKey(), agent_version: '0.0.0-test', platform: 'test' })
      .expect(200);
    const session = body as AgentSession;
    const connection = await connect({
      servers: session.bus.urls,
      authenticator: jwtAuthenticator(session.bus.jwt, user.getSeed()),
      inboxPrefix: `_INBOX_A.${session.host_id}`,
      reconnectTimeWait: 100,
      maxReconnectAttempts: -1,
    });
    return new TestAgent(session, connection);
  }

  subject(rest: string, hostId = this.hostId): string {
    return `${this.session.bus.prefix}.${hostId}.${rest}`;
  }

  /** Accepts every command, or answers what `reply` says. */
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

  onQuestion(verb: string, answer: (question: Record<string, unknown>) => object): void {
    this.connection.subscribe(this.subject(`ask.${verb}`), {
      callback: (_error, message) => void message.respond(JSON.stringify(answer(message.json()))),
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
      typeof message === 'string' ? message : JSON.stringify(message),
    );
  }

  /** A request on `up`, answered by the platform. */
  async request(kind: string, message: object): Promise<{ ok: boolean; detail?: string }> {
    const reply: Msg = await this.connection.request(this.subject(`up.${kind}`), JSON.stringify(message), {
      timeout: 5_000,
    });
    return reply.json();
  }

  async hello(instances: string[] = []): Promise<{ ok: boolean }> {
    return this.request('hello', {
      v: 1,
      sent_at: new Date().toISOString(),
      agent_version: '0.0.0-test',
      boot: this.boot,
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

  async close(): Promise<void> {
    await this.connection.close();
  }
}
