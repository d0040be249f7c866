// Sends one notification through a channel of any kind and returns the outcome.
import { setTimeout as sleep } from 'node:timers/promises';
import { MailRefused, type Mailer } from '../../mail/mailer.ts';
import { render } from '../../mail/template.ts';
import { templates } from '../../mail/templates.ts';
import type { Outbound, OutboundReply } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { retryAfter } from '../../outbound/reply.ts';
import type { Message } from './message.ts';
import { requestFor } from './requests.ts';
import type { Target } from './targets.ts';

export interface SenderParts {
  outbound: Pick<Outbound, 'send'>;
  mailer: Mailer;
  publicUrl: () => string;
  /** Overrides the public URL of Pushover. */
  pushoverUrl?: string | undefined;
}

export type Outcome =
  | { kind: 'accepted' }
  /** Retrying cannot succeed. */
  | { kind: 'refused'; detail: string }
  | { kind: 'failed'; detail: string }
  /** The receiver has said when to retry. */
  | { kind: 'retry_later'; detail: string; seconds: number };

const timeoutMs = 5_000;
const maxResponseBytes = 4_096;
/** Slightly longer than the mail server has for a message. */
const mailMs = 25_000;

export function send(
  target: Target,
  message: Message,
  { id, channelName }: { id: string; channelName: string },
  parts: SenderParts,
): Promise<Outcome> {
  if (target.kind === 'email') return sendMail(target.address, message, { id, channelName }, parts);
  const request = requestFor(target, message, { id, pushover: parts.pushoverUrl });
  return parts.outbound
    .send({ method: 'POST', ...request, timeoutMs, maxBytes: maxResponseBytes })
    .then(onReply, onNoReply);
}

function onReply({ status, verdict, headers }: OutboundReply): Outcome {
  if (verdict === 'accepted') return { kind: 'accepted' };
  const detail = `The receiver responded with status ${status}.`;
  if (verdict === 'rejected') return { kind: 'refused', detail };
  const seconds = retryAfter(headers['retry-after'], Date.now());
  return seconds === undefined ? { kind: 'failed', detail } : { kind: 'retry_later', detail, seconds };
}

function onNoReply(error: unknown): Outcome {
  if (!(error instanceof OutboundError)) throw error;
  const isPermanent = error.failure === 'url_refused' || error.failure === 'address_refused';
  return { kind: isPermanent ? 'refused' : 'failed', detail: error.message };
}

async function sendMail(
  to: string,
  { title, text }: Message,
  { id, channelName }: { id: string; channelName: string },
  { mailer, publicUrl }: SenderParts,
): Promise<Outcome> {
  const mail = render(templates.alert, { title, text, channel: channelName }, publicUrl());
  const ending = new AbortController();
  try {
    return await Promise.race([
      mailer.send({ id, to, ...mail }).then((): Outcome => ({ kind: 'accepted' })),
      sleep(mailMs, undefined, { signal: ending.signal }).then((): Outcome => ({
        kind: 'failed',
        detail: 'The mail server did not respond in time.',
      })),
    ]);
  } catch (error) {
    return error instanceof MailRefused
      ? { kind: 'refused', detail: 'The mail server refused the message.' }
      : { kind: 'failed', detail: 'The mail server could not be reached.' };
  } finally {
    ending.abort();
  }
}
