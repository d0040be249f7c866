// Reads and writes what messages say of time in their headers, which agents and platforms that know none overlook.
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

const lifetimeHeader = 'Gantry-Lifetime-Ms';
const offsetHeader = 'Gantry-Clock-Offset-Ms';
/** A clock that is off by more than this would put stats into the wrong place. */
const toleranceMs = 300_000;

/** For how long a message is good from now on: the agent's clock need not be right to know. */
export function lifetimeHeaders(expiresAt: string): MsgHdrs {
  const made = headers();
  made.set(lifetimeHeader, String(Date.parse(expiresAt) - Date.now()));
  return made;
}

/** The message as of now, if the clock of the host that sent it is far off. */
export function stamped<Sent extends { sent_at: string }>(message: Sent, receivedAt: Date): Sent {
  const isNear = Math.abs(receivedAt.getTime() - Date.parse(message.sent_at)) <= toleranceMs;
  return isNear ? message : { ...message, sent_at: receivedAt.toISOString() };
}

/** By how many milliseconds the host's clock is ahead, as its agent measured it, or as what it sent shows. */
export function clockOffsetOf(
  { headers: told }: Pick<Msg, 'headers'>,
  { sent_at: sentAt }: { sent_at: string },
  receivedAt: Date,
): number | null {
  const measured = told?.get(offsetHeader) ?? '';
  if (/^-?\d{1,15}$/.test(measured)) return Number(measured);
  const offsetMs = Date.parse(sentAt) - receivedAt.getTime();
  return Math.abs(offsetMs) > toleranceMs ? offsetMs : null;
}
