// Keeps the answer of a request with an Idempotency-Key in the transaction of its effect, and gives it again.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Operation } from '../contract/document.ts';
import type { Idempotency } from '../contract/idempotency.ts';
import { Settling, type RequestOf } from '../contract/operation.ts';
import type { Principal } from '../context.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { IdempotencyRecord } from '../entities/index.ts';
import { DomainError } from '../errors.ts';

/** How long an answer is kept. */
export const keptMs = 24 * 60 * 60_000;

export class IdempotencyKeys implements Idempotency<Principal> {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  async answerOnce(
    operation: Operation,
    principal: Principal,
    request: RequestOf<unknown>,
    answer: () => Promise<unknown>,
  ): Promise<unknown> {
    const key = (request.headers as Record<string, string | undefined> | undefined)?.['idempotency-key'];
    if (key === undefined) return answer();
    const keyHash = digest([operation.id, holderOf(principal), key]);
    const requestHash = digest([request.path, request.query, request.body]);
    return this.#platform.transact('idempotency', async (em) => {
      const [lock] = await em.execute<{ free: boolean }[]>(
        'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as free',
        [keyHash],
      );
      if (lock?.free !== true) {
        throw new DomainError(
          'idempotency_in_flight',
          'The first request with this key is still running; repeat it in a moment.',
        );
      }
      const kept = await em.findOne(IdempotencyRecord, {
        keyHash,
        createdAt: { $gt: new Date(Date.now() - keptMs) },
      });
      if (kept !== null) {
        if (kept.requestHash === requestHash) return opened(kept.sealedAnswer, key);
        throw new DomainError(
          'idempotency_key_reused',
          'This key came with another request before; use a new one.',
        );
      }
      await em.nativeDelete(IdempotencyRecord, { keyHash });
      const reply = await answer();
      const body: unknown = reply instanceof Settling ? reply.body : reply;
      em.create(IdempotencyRecord, { keyHash, requestHash, sealedAnswer: sealed(body, key) });
      return reply;
    });
  }
}

/** Whose keys they are: two callers may choose the same one. */
function holderOf({ kind, actor, license }: Principal): string {
  return [kind, actor?.id ?? '', license?.id ?? ''].join(' ');
}

function digest(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Answers may hold secrets that are shown once; they can be read again only with the caller's key. */
function sealed(answer: unknown, key: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(key), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

function opened(sealedAnswer: Uint8Array, key: string): unknown {
  const bytes = Buffer.from(sealedAnswer);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(key), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString());
}

function sealingKey(key: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', 'gantry idempotency answer', 32));
}
