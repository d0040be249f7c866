// Subscribes to what agents send: each message is read against its schema, bound to the host that sent it, and taken.
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Metrics } from '../../metrics.ts';
import type { AgentReports, Taken } from '../../services/agent-reports.ts';
import type { BackupReports } from '../../services/backups/reports.ts';
import { SparingLog } from '../../sparing-log.ts';
import { isBadMessage, type Bus } from '../bus.ts';
import { BadMessage, type BusSchemas, type Reader } from '../messages.ts';
import type { UpKind } from '../subjects.ts';
import { clockToleranceMs, type Heartbeats } from './heartbeats.ts';
import { HostBudgets } from './host-budgets.ts';
import { HostTurns } from './host-turns.ts';

/** Messages of different hosts that are taken at the same time; each needs a database connection. */
const atOnce = 4;
/** A host that sends faster than it is served loses what it sends; it repeats what matters. */
const mostWaitingPerHost = 100;

/** In a second. A heartbeat of 200 instances has less than 100 KB. */
const ofOneHost = { messagesPerSecond: 200, bytesPerSecond: 4 * 1024 * 1024 };

/** Replicas share the work under this name. */
const queue = 'ingest';

interface Kind<Message> {
  kind: UpKind;
  read: Reader<Message>;
  /** What it answers is sent back, if the agent asked for an answer. */
  take: (hostId: string, message: Message) => Promise<object | undefined> | object | undefined;
}

export interface ConsumersOptions {
  backups: BackupReports;
  bus: Bus;
  reports: AgentReports;
  heartbeats: Heartbeats;
  /** Takes the bus away from a host that floods it. */
  cutOff: (hostId: string) => Promise<void>;
  metrics: Metrics;
  log: Logger;
}

/** Starts consuming; the function it answers stops it and waits for what is under way. */
export function startConsumers({
  backups,
  bus,
  reports,
  heartbeats,
  cutOff,
  metrics,
  log,
}: ConsumersOptions): () => Promise<void> {
  const turns = new HostTurns(atOnce, mostWaitingPerHost);
  const sparing = new SparingLog();
  const budgets = new HostBudgets({
    ...ofOneHost,
    onFlood: (hostId) => {
      sparing.once(`flood ${hostId}`, () => log.warn({ host_id: hostId }, 'a host floods the bus'));
      cutOff(hostId).catch((error: unknown) =>
        log.error({ err: error, host_id: hostId }, 'cutting a host off'),
      );
    },
  });

  function subscribe<Message>({ kind, read, take }: Kind<Message>): Subscription {
    return bus.subscribe(
      bus.subjects.fromHosts(kind),
      (message) => {
        const hostId = bus.subjects.hostOf(message.subject);
        if (hostId === undefined) return;
        if (!budgets.take(hostId, message.data.byteLength)) {
          metrics.busMessages.inc({ kind, outcome: 'dropped' });
          return;
        }
        if (kind === 'heartbeat') void consume(message, hostId);
        else if (!turns.take(hostId, () => consume(message, hostId))) {
          metrics.busMessages.inc({ kind, outcome: 'dropped' });
        }
      },
      { lane: 'ingest', queue },
    );

    async function consume(message: Msg, hostId: string): Promise<void> {
      try {
        const answer = await take(hostId, read(message.data));
        if (answer !== undefined) bus.respond(message, hostId, { v: 1, ...answer });
        if (kind !== 'heartbeat') metrics.busMessages.inc({ kind, outcome: 'taken' });
      } catch (error) {
        refuse(message, kind, hostId, error);
      }
    }
  }

  /** What breaks the contract is answered, so that it is not repeated; what failed on our side will be repeated. */
  function refuse(message: Msg, kind: UpKind, hostId: string, error: unknown): void {
    if (!isBadMessage(error)) {
      metrics.busMessages.inc({ kind, outcome: 'failed' });
      sparing.once(`failed ${kind} ${hostId}`, () =>
        log.error({ err: error, kind, host_id: hostId }, 'a message of an agent could not be taken'),
      );
      return;
    }
    metrics.busMessages.inc({ kind, outcome: 'refused' });
    const { message: reason } = error;
    sparing.once(`refused ${kind} ${hostId}`, () =>
      log.warn({ kind, host_id: hostId, reason }, 'a message of an agent was refused'),
    );
    bus.respond(message, hostId, { v: 1, ok: false, detail: reason });
  }

  const read = bus.messages;
  const subscriptions = [
    subscribe<BusSchemas['Hello']>({
      kind: 'hello',
      read: read.reader('Hello'),
      take: async (hostId, message) => ({
        ok: (await reports.hello(hostId, message)).ok,
        server_time: new Date().toISOString(),
      }),
    }),
    subscribe<BusSchemas['Heartbeat']>({
      kind: 'heartbeat',
      read: read.reader('Heartbeat'),
      take: (hostId, beat) => {
        const receivedAt = new Date();
        if (Math.abs(receivedAt.getTime() - Date.parse(beat.sent_at)) > clockToleranceMs) {
          throw new BadMessage('was sent by a clock that is more than 300 s off');
        }
        heartbeats.take(hostId, beat, receivedAt);
        return undefined;
      },
    }),
    subscribe<BusSchemas['InstanceStateChange']>({
      kind: 'instance-state',
      read: read.reader('InstanceStateChange'),
      take: (hostId, change): Promise<Taken> => reports.instanceState(hostId, change),
    }),
    subscribe<BusSchemas['CommandResult']>({
      kind: 'command-result',
      read: read.reader('CommandResult'),
      take: (hostId, result): Promise<Taken> => reports.commandResult(hostId, result),
    }),
    subscribe<BusSchemas['BackupReport']>({
      kind: 'backups',
      read: read.reader('BackupReport'),
      take: (hostId, report): Promise<Taken> => backups.take(hostId, report),
    }),
    subscribe<BusSchemas['WipeReport']>({
      kind: 'wipe-status',
      read: read.reader('WipeReport'),
      take: (hostId, report): Promise<Taken> => reports.wipeStatus(hostId, report),
    }),
    subscribe<BusSchemas['Bye']>({
      kind: 'bye',
      read: read.reader('Bye'),
      take: async (hostId, message) => {
        await reports.bye(hostId, message);
        return undefined;
      },
    }),
  ];

  return async () => {
    await Promise.all(subscriptions.map((subscription) => subscription.drain()));
    await turns.idle();
    await heartbeats.close();
  };
}
