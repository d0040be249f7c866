// Reads and writes the time headers of messages; agents and platforms of older versions ignore them.
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

const lifetimeHeader = 'Gantry-Lifetime-Ms';
const offsetHeader = 'Gantry-Clock-Offset-Ms';
/** Maximum clock offset: a larger one would store stats at wrong times. */
const toleranceMs = 300_000;

/** The remaining lifetime of a message as a duration, so that the agent's clock need not be right. */
export function lifetimeHeaders(expiresAt: string): MsgHdrs {
  const made = headers();
  made.set(lifetimeHeader, String(Date.parse(expiresAt) - Date.now()));
  return made;
}

/** The message with the time of receipt, if the sending host's clock is far off. */
export function stamped<Sent extends { sent_at: string }>(message: Sent, receivedAt: Date): Sent {
  const isNear = Math.abs(receivedAt.getTime() - Date.parse(message.sent_at)) <= toleranceMs;
  return isNear ? message : { ...message, sent_at: receivedAt.toISOString() };
}

/**
 * By how many milliseconds the host's clock is ahead: as measured by its agent, otherwise by its message's send time.
 */
export function clockOffsetOf(
  { headers }: Pick<Msg, 'headers'>,
  { sent_at: sentAt }: { sent_at: string },
  receivedAt: Date,
): number | null {
  const measured = headers?.get(offsetHeader) ?? '';
  if (/^-?\d{1,15}$/.test(measured)) return Number(measured);
  const offsetMs = Date.parse(sentAt) - receivedAt.getTime();
  return Math.abs(offsetMs) > toleranceMs ? offsetMs : null;
}
