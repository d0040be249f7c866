// Sends a message that the platform must acknowledge, and evaluates the acknowledgement.
import type { Logger } from 'pino';
import type { Messages } from '../messages.ts';

/** Returns true when the platform has replied, even if it refuses the message permanently. */
export async function isTaken(
  { kind, body, messages, log }: { kind: string; body: unknown; messages: Messages; log: Logger },
  request: () => Promise<string>,
): Promise<boolean> {
  try {
    const answer = messages.parse('Acknowledgement', await request());
    if (!answer.isValid) {
      log.warn({ kind, detail: answer.detail }, 'the answer to a message is not understood');
      return false;
    }
    if (!answer.value.ok)
      log.error({ kind, body, detail: answer.value.detail }, 'the platform refuses a message');
    return true;
  } catch (error) {
    log.debug({ kind, err: error }, 'a message was not answered');
    return false;
  }
}
