// The handler and limits of each kind of message from agents; a kind that the contract adds does not compile without an entry.
import type { Msg } from '@nats-io/transport-node';
import { upMessages } from '../../generated/agent-bus.protocol.ts';
import type { BusSchemas, UpKind } from '../platform-contract/bus-types.ts';
import { clockOffsetOf, stamped } from '../bus/time-headers.ts';
import type { AgentReports } from '../services/agents/reports.ts';
import type { BackupReports } from '../services/backups/reports.ts';
import type { ManagedInstanceReports } from '../services/managed-instances/reports.ts';
import type { Heartbeats } from './heartbeats.ts';

const KiB = 1024;

export type MessageOf<Kind extends UpKind> = BusSchemas[(typeof upMessages)[Kind]['message']];
type ReplySchema<Kind extends UpKind> = (typeof upMessages)[Kind]['reply'];
/** The reply that the contract demands, without the version of the protocol; nothing if it demands none. */
type ReplyOf<Kind extends UpKind> =
  ReplySchema<Kind> extends keyof BusSchemas ? Omit<BusSchemas[ReplySchema<Kind>], 'v'> : void;

export interface MessageKind<Kind extends UpKind> {
  /** Larger messages are refused unparsed. */
  maxBytes: number;
  handle: (hostId: string, message: MessageOf<Kind>, raw: Msg) => Promise<ReplyOf<Kind>> | ReplyOf<Kind>;
  /**
   * Set if `handle` only adds the message to a batch. Such messages have a lane of their own and wait for no other; the
   * batch counts them once they are stored.
   */
  isBatched?: true;
  /** Called instead of `handle` if the hosts of the license have exceeded its budget. */
  onOverBudget?: (hostId: string) => void;
}

export type MessageKinds = { readonly [Kind in UpKind]: MessageKind<Kind> };

export interface Receivers {
  backups: BackupReports;
  managedInstances: ManagedInstanceReports;
  reports: AgentReports;
  heartbeats: Heartbeats;
}

export function messageKinds({ backups, managedInstances, reports, heartbeats }: Receivers): MessageKinds {
  return {
    hello: {
      maxBytes: 32 * KiB,
      handle: async (hostId, message) => ({
        ok: (await reports.hello(hostId, stamped(message, new Date()))).ok,
        server_time: new Date().toISOString(),
      }),
    },
    heartbeat: {
      maxBytes: 512 * KiB,
      isBatched: true,
      handle: (hostId, beat, raw) => {
        const receivedAt = new Date();
        const clockOffsetMs = clockOffsetOf(raw, beat, receivedAt);
        heartbeats.take({ hostId, beat: stamped(beat, receivedAt), receivedAt, clockOffsetMs });
      },
      // Other hosts of the license sent too much: this host stays online.
      onOverBudget: (hostId) => heartbeats.takeUnread(hostId),
    },
    'instance-state': {
      maxBytes: 8 * KiB,
      handle: (hostId, change) => reports.instanceState(hostId, change),
    },
    'command-result': {
      // JSON may double the 16 KiB of a command's output.
      maxBytes: 64 * KiB,
      handle: (hostId, result) => reports.commandResult(hostId, result),
    },
    backups: {
      // A report lists every backup of an instance.
      maxBytes: 1024 * KiB,
      handle: (hostId, report) => backups.take(hostId, report),
    },
    'managed-instances': {
      maxBytes: 768 * KiB,
      handle: (hostId, report) => managedInstances.take(hostId, report),
    },
    'wipe-status': {
      maxBytes: 16 * KiB,
      handle: (hostId, report) => reports.wipeStatus(hostId, report),
    },
    bye: {
      maxBytes: 4 * KiB,
      handle: (hostId, message) => reports.bye(hostId, stamped(message, new Date())),
    },
  };
}

/** Every kind that agents send. */
export const upKinds = Object.keys(upMessages) as UpKind[];
