// Sends a message that the platform must acknowledge, and evaluates the acknowledgement.
import type { Logger } from 'pino';
import type { Messages } from '../messages.ts';

/** Returns true when the platform has replied, even if it refuses the message permanently. */
export async function isAcknowledged(
  { kind, body, messages, log }: { kind: string; body: unknown; messages: Messages; log: Logger },
  request: () => Promise<string>,
): Promise<boolean> {
  try {
    const reply = messages.parse('Acknowledgement', await request());
    if (!reply.isValid) {
      log.warn({ kind, detail: reply.detail }, 'the reply to a message is invalid');
      return false;
    }
    if (!reply.value.ok)
      log.error({ kind, body, detail: reply.value.detail }, 'the platform refuses a message');
    return true;
  } catch (error) {
    log.debug({ kind, err: error }, 'a message got no reply');
    return false;
  }
}
