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
import type { EntityManager } from '../database/connection.ts';
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
    let unsettled: Buffer = Buffer.alloc(0);
    const reply = await this.#platform.transact('idempotency', async (em) => {
      if (!(await tryLock(em, keyHash))) {
        throw new DomainError(
          'idempotency_in_flight',
          'The first request with this key is still running; repeat it in a moment.',
        );
      }
      const sandboxLicenseId = await heldSandbox(em, operation, principal, request);
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
      unsettled = encrypted(now, key);
      em.create(IdempotencyRecord, { keyHash, requestHash, encryptedReply: unsettled, sandboxLicenseId });
      return made;
    });
    if (!(reply instanceof Settling)) return endOf(reply, this.#log);
    const end: unknown = await (reply as Settling<unknown>).end(this.#log);
    // After a reset of the sandbox, the key may have the reply of a later request.
    await this.#platform.transact('idempotency', (em) =>
      em.nativeUpdate(
        IdempotencyRecord,
        { keyHash, encryptedReply: unsettled },
        { encryptedReply: encrypted(end, key) },
      ),
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

/**
 * The sandbox that the request concerns; null in other licenses. A reset or deletion of the sandbox waits until this
 * transaction has ended, and then deletes the reply with its effect.
 */
async function heldSandbox(
  em: EntityManager,
  operation: Operation,
  principal: Principal,
  { path }: RequestOf<unknown>,
): Promise<string | null> {
  const { subdomain = null } = (path ?? {}) as { subdomain?: string };
  const known = [licenseOf(operation, principal), subdomain];
  const [sandbox] = await em.execute<{ id: string }[]>(
    'select id from license where (id = ?::uuid or subdomain = ?) and is_sandbox',
    known,
  );
  if (sandbox === undefined) return null;
  const hold = () => em.execute<object[]>('select from license where id = ? for key share', [sandbox.id]);
  // A reset replaces the row: the first attempt waits for the reset, the second one finds the new row.
  if ((await hold()).length > 0 || (await hold()).length > 0) return sandbox.id;
  throw new DomainError('unavailable', 'The sandbox is being deleted.');
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
