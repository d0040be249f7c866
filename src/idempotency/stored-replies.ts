// Stores the reply to a request with an Idempotency-Key in the transaction of its effect, and replays it.
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { Operation } from '../contract/document.ts';
import type { Idempotency } from '../contract/router.ts';
import type { RequestOf } from '../contract/operation.ts';
import { endOf, Settling, Unkept, Versioned } from '../contract/replies.ts';
import type { Principal } from '../context.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { tryLock } from '../database/advisory-locks.ts';
import { IdempotencyRecord } from '../entities/index.ts';
import { DomainError } from '../errors.ts';
import { idempotencyHours } from '../queue/retention-periods.ts';
import { SecretCipher } from '../secrets/encryption.ts';

const keptMs = idempotencyHours * 60 * 60_000;

export class IdempotencyKeys implements Idempotency<Principal> {
  readonly #platform: PlatformScope;
  readonly #log: Logger;

  constructor(platform: PlatformScope, log: Logger) {
    this.#platform = platform;
    this.#log = log;
  }

  async handleOnce(
    operation: Operation,
    principal: Principal,
    request: RequestOf<unknown>,
    handle: () => Promise<unknown>,
  ): Promise<unknown> {
    const key = (request.headers as Record<string, string | undefined> | undefined)?.['idempotency-key'];
    if (key === undefined) return endOf(await handle(), this.#log);
    const keyHash = digest(key, [operation.id, holderOf(principal, request)]);
    const requestHash = digest(key, [
      request.path,
      request.query,
      request.body,
      licenseOf(operation, principal),
    ]);
    const reply = await this.#platform.transact('idempotency', async (em) => {
      if (!(await tryLock(em, keyHash))) {
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
        if (kept.requestHash === requestHash) return opened(kept.encryptedReply, key);
        throw new DomainError(
          'idempotency_key_reused',
          'This key came with another request before; use a new one.',
        );
      }
      await em.nativeDelete(IdempotencyRecord, { keyHash });
      const made = await handle();
      if (made instanceof Unkept) return made;
      const now: unknown = made instanceof Settling ? made.body : made;
      em.create(IdempotencyRecord, { keyHash, requestHash, encryptedReply: encrypted(now, key) });
      return made;
    });
    if (!(reply instanceof Settling)) return endOf(reply, this.#log);
    const end: unknown = await (reply as Settling<unknown>).end(this.#log);
    await this.#platform.transact('idempotency', (em) =>
      em.nativeUpdate(IdempotencyRecord, { keyHash, requestHash }, { encryptedReply: encrypted(end, key) }),
    );
    return end;
  }
}

/** The owner of the key, since two callers may choose the same one. Anonymous callers are separated by path only. */
function holderOf({ actor }: Principal, { path }: RequestOf<unknown>): unknown {
  return actor === null ? ['anonymous', path] : [actor.kind, actor.id];
}

/**
 * The license that the request concerns, if the operation belongs to a license. A session may switch to another
 * license.
 */
function licenseOf({ security }: Operation, { license }: Principal): string | null {
  const isTenants = security.some((requirement) =>
    Object.values(requirement).some((permissions) => permissions.length > 0),
  );
  return isTenants ? (license?.id ?? null) : null;
}

/** Keyed, because requests may contain values that are easy to guess. */
function digest(key: string, parts: unknown[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
}

interface StoredReply {
  /** Absent if the reply has no body. */
  body?: unknown;
  version?: number | string;
}

/**
 * Encrypted, because replies may contain secrets that are shown once; only the caller's idempotency key decrypts them.
 */
function encrypted(reply: unknown, key: string): Buffer {
  const { body, version } = reply instanceof Versioned ? (reply as StoredReply) : { body: reply };
  return cipherOf(key).encrypt(JSON.stringify({ body, version }));
}

function opened(encryptedReply: Uint8Array, key: string): unknown {
  const { body, version } = JSON.parse(cipherOf(key).decrypt(encryptedReply)) as StoredReply;
  return version === undefined ? body : new Versioned(body, version);
}

const cipherOf = (key: string) => new SecretCipher(key, 'gantry idempotency answer');
