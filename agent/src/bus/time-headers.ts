// Reads and writes the time headers of messages; older agents and platforms ignore them.
import { headers } from '@nats-io/transport-node';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import type { PlatformClock } from '../clock.ts';

/** Header of the platform's messages: remaining lifetime in milliseconds when it was sent. */
const lifetimeHeader = 'Gantry-Lifetime-Ms';
/** Header of heartbeats: by how many milliseconds this host's clock is ahead of the platform's. */
const offsetHeader = 'Gantry-Clock-Offset-Ms';

/** The time is not known now. The platform retries, and by then it is known. */
export class UncertainTime extends Error {}

/** Whether a message that the platform has just sent has expired. Throws an `UncertainTime`. */
export function isLate(message: Pick<Msg, 'headers'>, expiresAt: string, clock: PlatformClock): boolean {
  const lifetime = message.headers?.get(lifetimeHeader) ?? '';
  if (/^-?\d{1,15}$/.test(lifetime) && Number(lifetime) <= 0) return true;
  if (!clock.isSteady) throw new UncertainTime("This host's clock was set; the time is being requested.");
  return Date.parse(expiresAt) <= clock.nowMs();
}

export function offsetHeaders(clock: PlatformClock): MsgHdrs | undefined {
  if (clock.offsetMs === undefined) return undefined;
  const result = headers();
  result.set(offsetHeader, String(clock.offsetMs));
  return result;
}
