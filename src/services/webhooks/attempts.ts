// Makes one delivery attempt: sends the signed request and classifies the outcome.
import type { Schemas } from '../../platform-contract/types.ts';
import type { Outbound, OutboundReply } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { retryAfter } from '../../outbound/reply.ts';
import { signedHeaders } from './signature.ts';

/** A delivery that is due. */
export interface DueDelivery {
  id: string;
  event: string;
  body: string;
  attempt_count: number;
  recent_failures: number;
  queued_at: string;
}

export interface Receiver {
  url: string;
  /** Empty when they cannot be decrypted. */
  secrets: readonly string[];
}

export interface Attempt {
  delivery: DueDelivery;
  at: Date;
  durationMs: number;
  outcome: Schemas['WebhookAttemptOutcome'];
  /** The HTTP status of the response. */
  code: number | null;
  /** The beginning of a response that did not accept the delivery. */
  response: string | null;
  detail: string | null;
  /** Whether the receiver would also fail for another delivery. */
  isUnavailable: boolean;
  /** Seconds until the receiver wants the next request, if it has said so. */
  waitSeconds?: number | undefined;
}

const timeoutMs = 5_000;
const maxResponseBytes = 4_096;

export async function attempt(
  outbound: Outbound,
  { url, secrets }: Receiver,
  delivery: DueDelivery,
): Promise<Attempt> {
  const { id: deliveryId, event, body } = delivery;
  const at = new Date();
  if (secrets.length === 0) return { delivery, at, durationMs: 0, ...unsigned };
  const result = await outbound
    .send({
      method: 'POST',
      url,
      headers: signedHeaders({ deliveryId, event, body }, secrets, at),
      body,
      timeoutMs,
      maxBytes: maxResponseBytes,
    })
    .then(onReply, failed);
  return { delivery, at, durationMs: Date.now() - at.getTime(), ...result };
}

type Result = Omit<Attempt, 'delivery' | 'at' | 'durationMs'>;

/** The secret may become readable again: the key that encrypted it can be restored. */
const unsigned: Result = {
  outcome: 'secret_unreadable',
  code: null,
  response: null,
  detail:
    'Nothing was sent: the secret was encrypted with another key and cannot be read. Rotate the secret.',
  isUnavailable: true,
};

function onReply({ status, verdict, text, headers }: OutboundReply): Result {
  const isAccepted = verdict === 'accepted';
  return {
    outcome: isAccepted ? 'succeeded' : 'rejected',
    code: status,
    response: isAccepted ? null : storable(text),
    detail: isAccepted ? null : `The receiver responded with status ${status}.`,
    isUnavailable: verdict === 'unavailable',
    waitSeconds: verdict === 'unavailable' ? retryAfter(headers['retry-after'], Date.now()) : undefined,
  };
}

function failed(error: unknown): Result {
  if (!(error instanceof OutboundError)) throw error;
  return { outcome: error.failure, code: null, response: null, detail: error.message, isUnavailable: true };
}

/** PostgreSQL does not store NUL in text. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd');
