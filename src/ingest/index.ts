// Subscribes to agents' messages: reads each against its schema, attributes it to its host and hands it to its kind's handler.
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { upMessages } from '../../generated/agent-bus.protocol.ts';
import type { Metrics } from '../process/metrics.ts';
import { ThrottledLogger } from '../process/throttled-logger.ts';
import { isBadMessage, type Bus } from '../bus/bus.ts';
import { heartbeatLane } from '../bus/connection.ts';
import { BadMessage, type Reader } from '../bus/messages.ts';
import type { UpKind } from '../platform-contract/bus-types.ts';
import { MessageBudgets } from '../bus/message-budgets.ts';
import type { HostLicenses } from './host-licenses.ts';
import { HostQueues } from './host-queues.ts';
import { messageKinds, upKinds, type MessageKind, type MessageOf, type Receivers } from './message-kinds.ts';

/**
 * Each message that is being handled needs a database connection. If a host or license sends faster than its messages
 * are handled, some are dropped; agents repeat those that need a reply.
 */
const queueBounds = { atOnce: 4, atOncePerLicense: 2, maxWaitingPerHost: 100, maxWaitingPerLicense: 2_000 };

const KiB = 1024;

/** A heartbeat of 200 instances usually has less than 100 KiB. */
const ofOneHost = { messagesPerSecond: 200, bytesPerSecond: 1024 * KiB };

/** A thousand hosts with five instances each send some 200 KiB in a second. */
const ofOneLicense = { messagesPerSecond: 2_000, bytesPerSecond: 2048 * KiB };

/** Replicas share the work under this name. */
const queue = 'ingest';

export interface ConsumersOptions extends Receivers {
  bus: Bus;
  licenses: HostLicenses;
  /** Takes the bus away from a host that floods it. */
  cutOff: (hostId: string) => Promise<void>;
  metrics: Metrics;
  log: Logger;
}

/** Starts consuming. The returned function stops it and waits for the messages that are being handled. */
export function startConsumers(options: ConsumersOptions): () => Promise<void> {
  const { bus, heartbeats, licenses, cutOff, metrics, log } = options;
  const kinds = messageKinds(options);
  const queues = new HostQueues(queueBounds);
  const throttled = new ThrottledLogger();
  const licenseBudgets = new MessageBudgets(ofOneLicense);
  const hostBudgets = new MessageBudgets({
    ...ofOneHost,
    onFlood: (hostId) => {
      throttled.once(`flood ${hostId}`, () => log.warn({ host_id: hostId }, 'a host floods the bus'));
      cutOff(hostId).catch((error: unknown) =>
        log.error({ err: error, host_id: hostId }, 'cutting a host off'),
      );
    },
  });

  function subscribe<Kind extends UpKind>(kind: Kind): Subscription {
    const { maxBytes, handle, isBatched, onOverBudget }: MessageKind<Kind> = kinds[kind];
    const read = bus.messages.reader(upMessages[kind].message) as Reader<MessageOf<Kind>>;
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
          onOverBudget?.(hostId);
          return;
        }
        if (message.data.byteLength > maxBytes) {
          refuse(message, kind, hostId, new BadMessage(`is larger than ${maxBytes} bytes`));
          return;
        }
        if (isBatched) void consume(message, hostId);
        else if (!queues.take(hostId, licenseId ?? hostId, () => consume(message, hostId))) {
          metrics.busMessages.inc({ kind, outcome: 'dropped' });
        }
      },
      { lane: isBatched ? heartbeatLane : 'ingest', queue },
    );

    async function consume(message: Msg, hostId: string): Promise<void> {
      try {
        const reply = await handle(hostId, read(message.data), message);
        if (reply !== undefined) bus.respond(message, hostId, { v: 1, ...reply });
        if (!isBatched) metrics.busMessages.inc({ kind, outcome: 'taken' });
      } catch (error) {
        refuse(message, kind, hostId, error);
      }
    }
  }

  function isWithinBudgetOfLicense(licenseId: string, bytes: number): boolean {
    if (licenseBudgets.take(licenseId, bytes)) return true;
    throttled.once(`flood ${licenseId}`, () =>
      log.warn(
        { license_id: licenseId },
        'the hosts of a license send more than its budget; messages are dropped',
      ),
    );
    return false;
  }

  /** Refuses messages that break the contract, so that the agent does not repeat them. It repeats the ones that get no reply. */
  function refuse(message: Msg, kind: UpKind, hostId: string, error: unknown): void {
    if (!isBadMessage(error)) {
      metrics.busMessages.inc({ kind, outcome: 'failed' });
      throttled.once(`failed ${kind} ${hostId}`, () =>
        log.error({ err: error, kind, host_id: hostId }, 'a message of an agent could not be taken'),
      );
      return;
    }
    metrics.busMessages.inc({ kind, outcome: 'refused' });
    const { message: reason } = error;
    throttled.once(`refused ${kind} ${hostId}`, () =>
      log.warn({ kind, host_id: hostId, reason }, 'a message of an agent was refused'),
    );
    bus.respond(message, hostId, { v: 1, ok: false, detail: reason });
  }

  const subscriptions = upKinds.map((kind) => subscribe(kind));

  return async () => {
    await Promise.all(subscriptions.map((subscription) => subscription.drain()));
    await queues.idle();
    await licenses.idle();
    await heartbeats.close();
  };
}
