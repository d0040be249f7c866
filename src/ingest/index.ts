// Subscribes to what agents send: each message is read against its schema, bound to the host that sent it, and taken.
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Metrics } from '../process/metrics.ts';
import type { AgentReports, Taken } from '../services/agents/reports.ts';
import type { BackupReports } from '../services/backups/reports.ts';
import type { ManagedInstanceReports } from '../services/managed-instances/reports.ts';
import { SparingLog } from '../process/throttled-logger.ts';
import { isBadMessage, type Bus } from '../bus/bus.ts';
import { heartbeatLane } from '../bus/connection.ts';
import { BadMessage, type Reader } from '../bus/messages.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import type { UpKind } from '../platform-contract/bus-types.ts';
import { clockOffsetOf, stamped } from '../bus/time-headers.ts';
import type { Heartbeats } from './heartbeats.ts';
import { MessageBudgets } from '../bus/message-budgets.ts';
import type { HostLicenses } from './host-licenses.ts';
import { HostTurns } from './host-turns.ts';

/**
 * Each message that is being taken needs a database connection. A host or license that sends faster than it is served
 * loses messages; agents repeat those that matter.
 */
const turnBounds = { atOnce: 4, atOncePerLicense: 2, maxWaitingPerHost: 100, maxWaitingPerLicense: 2_000 };

const KiB = 1024;

/** A heartbeat of 200 instances usually has less than 100 KiB. */
const ofOneHost = { messagesPerSecond: 200, bytesPerSecond: 1024 * KiB };

/** A thousand hosts with five instances each send some 200 KiB in a second. */
const ofOneLicense = { messagesPerSecond: 2_000, bytesPerSecond: 2048 * KiB };

/** Larger messages are refused unparsed. Backup reports list every backup of an instance. */
const maxBytes: Readonly<Record<UpKind, number>> = {
  hello: 32 * KiB,
  heartbeat: 512 * KiB,
  'instance-state': 8 * KiB,
  // In JSON, the 16 KiB of a command's output may take twice as many.
  'command-result': 64 * KiB,
  'wipe-status': 16 * KiB,
  backups: 1024 * KiB,
  'managed-instances': 768 * KiB,
  bye: 4 * KiB,
};

/** Replicas share the work under this name. */
const queue = 'ingest';

interface Kind<Message> {
  kind: UpKind;
  read: Reader<Message>;
  /** What it answers is sent back, if the agent asked for an answer. */
  take: (hostId: string, message: Message, msg: Msg) => Promise<object | undefined> | object | undefined;
}

export interface ConsumersOptions {
  backups: BackupReports;
  managedInstances: ManagedInstanceReports;
  bus: Bus;
  reports: AgentReports;
  heartbeats: Heartbeats;
  licenses: HostLicenses;
  /** Takes the bus away from a host that floods it. */
  cutOff: (hostId: string) => Promise<void>;
  metrics: Metrics;
  log: Logger;
}

/** Starts consuming; the function it answers stops it and waits for what is under way. */
export function startConsumers({
  backups,
  managedInstances,
  bus,
  reports,
  heartbeats,
  licenses,
  cutOff,
  metrics,
  log,
}: ConsumersOptions): () => Promise<void> {
  const turns = new HostTurns(turnBounds);
  const sparing = new SparingLog();
  const licenseBudgets = new MessageBudgets(ofOneLicense);
  const hostBudgets = new MessageBudgets({
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
        // The license of a host's first messages is not known yet: the host's own budget bounds those.
        const licenseId = licenses.of(hostId);
        if (!hostBudgets.take(hostId, message.data.byteLength)) {
          metrics.busMessages.inc({ kind, outcome: 'dropped' });
          return;
        }
        if (licenseId !== undefined && !isWithinBudgetOfLicense(licenseId, message.data.byteLength)) {
          metrics.busMessages.inc({ kind, outcome: 'dropped' });
          // The others of the license are not to blame: they stay online.
          if (kind === 'heartbeat') heartbeats.takeUnread(hostId);
          return;
        }
        if (message.data.byteLength > maxBytes[kind]) {
          refuse(message, kind, hostId, new BadMessage(`is larger than ${maxBytes[kind]} bytes`));
          return;
        }
        if (kind === 'heartbeat') void consume(message, hostId);
        else if (!turns.take(hostId, licenseId ?? hostId, () => consume(message, hostId))) {
          metrics.busMessages.inc({ kind, outcome: 'dropped' });
        }
      },
      { lane: kind === 'heartbeat' ? heartbeatLane : 'ingest', queue },
    );

    async function consume(message: Msg, hostId: string): Promise<void> {
      try {
        const answer = await take(hostId, read(message.data), message);
        if (answer !== undefined) bus.respond(message, hostId, { v: 1, ...answer });
        if (kind !== 'heartbeat') metrics.busMessages.inc({ kind, outcome: 'taken' });
      } catch (error) {
        refuse(message, kind, hostId, error);
      }
    }
  }

  function isWithinBudgetOfLicense(licenseId: string, bytes: number): boolean {
    if (licenseBudgets.take(licenseId, bytes)) return true;
    sparing.once(`flood ${licenseId}`, () =>
      log.warn(
        { license_id: licenseId },
        'the hosts of a license send more than its budget; messages are dropped',
      ),
    );
    return false;
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
        ok: (await reports.hello(hostId, stamped(message, new Date()))).ok,
        server_time: new Date().toISOString(),
      }),
    }),
    subscribe<BusSchemas['Heartbeat']>({
      kind: 'heartbeat',
      read: read.reader('Heartbeat'),
      take: (hostId, beat, message) => {
        const receivedAt = new Date();
        const clockOffsetMs = clockOffsetOf(message, beat, receivedAt);
        heartbeats.take({ hostId, beat: stamped(beat, receivedAt), receivedAt, clockOffsetMs });
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
    subscribe<BusSchemas['ManagedInstancesReport']>({
      kind: 'managed-instances',
      read: read.reader('ManagedInstancesReport'),
      take: (hostId, report): Promise<Taken> => managedInstances.take(hostId, report),
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
        await reports.bye(hostId, stamped(message, new Date()));
        return undefined;
      },
    }),
  ];

  return async () => {
    await Promise.all(subscriptions.map((subscription) => subscription.drain()));
    await turns.idle();
    await licenses.idle();
    await heartbeats.close();
  };
}
