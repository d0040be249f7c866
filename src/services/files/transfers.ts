// Streams file contents between a caller and an agent, never whole: over a data connection, or in parts over the bus.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DomainError, type ProblemCode } from '../../errors.ts';
import { chunkBytes, type AgentFiles, type FileReply } from './agent-files.ts';
import { unknownOutcomes } from './audit.ts';
import { receivedContent, sendContent } from './connected-contents.ts';
import type { DataConnection } from './data-connection.ts';
import { minConnectionBytes, type DataConnections } from './data-connections.ts';
import { receivedParts, sendParts } from './parts.ts';
import type { AccessCheck, Arrived, Opened } from './transfer.ts';
import type { Ctx } from '../../context.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import type { Permission } from '../auth/role-permissions.ts';

/** How long an agent may take to write an upload to disk. */
const finishSeconds = 25;

/** How long the beginning of a body is read ahead: meanwhile the agent hears nothing, and it ends idle transfers. */
const maxBeginningMs = 5_000;

/** Data connections are opened only if given. */
interface Paths {
  files: AgentFiles;
  connections?: DataConnections | undefined;
}

/**
 * Streams a download, which is never complete if it was damaged. A reader that stops ends the transfer.
 */
export function downloadOf(
  { files, connections }: Paths,
  opened: Opened,
  checkAccess: AccessCheck,
  allowedCodes: readonly ProblemCode[],
): Readable {
  const { transfer, size } = opened;
  let connection: DataConnection | undefined;
  const content = async function* () {
    if (size > minConnectionBytes) connection = await connections?.open(files, transfer, 'receive');
    if (stream.destroyed) connection?.close();
    else if (connection === undefined) yield* receivedParts(files, opened, checkAccess, allowedCodes);
    else yield* receivedContent(connection, size, checkAccess, allowedCodes);
  };
  const iterator = content();
  const stream = new Readable({
    highWaterMark: chunkBytes,
    read: () => {
      iterator.next().then(
        ({ done, value }) => stream.push(done === true ? null : value),
        (error: Error) => stream.destroy(error),
      );
    },
    // Does not wait for the parts already requested: the reader has left.
    destroy: (error, done) => {
      connection?.close();
      void ended(files, transfer);
      done(error);
    },
  });
  return stream;
}

export interface Sending {
  body: Readable;
  /** The expected hash of the body. */
  sha256: string | undefined;
  checkAccess: AccessCheck;
  /** Puts the arrived upload in place. Override it to run work before and after. */
  finishing?: <T>(arrived: Arrived, finish: () => Promise<T>) => Promise<T>;
}

/** Sends the body to the agent and has the file put in place. A failure leaves nothing behind. */
export async function sendUpload(
  { files, connections }: Paths,
  { transfer }: Opened,
  { body, sha256, checkAccess, finishing = (_arrived, finish) => finish() }: Sending,
  allowedCodes: readonly ProblemCode[],
): Promise<Arrived & { entry: FileReply['entry'] }> {
  const content = new MeasuredContent(body, checkAccess);
  let connection: DataConnection | undefined;
  try {
    const isLarge = connections !== undefined && (await content.holdsMoreThan(minConnectionBytes));
    if (isLarge) connection = await connections.open(files, transfer, 'send');
    if (connection === undefined) await sendParts(files, transfer, content.pieces(), allowedCodes);
    else await sendContent(connection, content.pieces(), () => content.arrived, allowedCodes);
    await checkAccess(); // the body may have taken long to end
    const { arrived } = content;
    if (sha256 !== undefined && sha256 !== arrived.sha256)
      throw new DomainError('checksum_mismatch', `The body's SHA-256 is ${arrived.sha256}.`);
    const { entry } = await finishing(arrived, () =>
      files.ask('file-finish', { transfer, ...arrived }, allowedCodes, finishSeconds).catch(asUnknown),
    );
    return { ...arrived, entry };
  } catch (error) {
    await ended(files, transfer);
    throw error;
  } finally {
    connection?.close();
  }
}

/** A body with its size and checksum, whose beginning can be read ahead. */
class MeasuredContent {
  readonly #source: AsyncIterator<Buffer, undefined>;
  readonly #checkAccess: AccessCheck;
  readonly #hash = createHash('sha256');
  readonly #held: Buffer[] = [];
  #size = 0;
  #isOver = false;
  #arrived: Arrived | undefined;

  constructor(body: Readable, checkAccess: AccessCheck) {
    // Keeps the request open on an error, so that the caller still gets a response.
    this.#source = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
    this.#checkAccess = checkAccess;
  }

  /** Whether that many bytes arrive soon. Call it before `pieces`. */
  async holdsMoreThan(bytes: number): Promise<boolean> {
    const deadlineMs = performance.now() + maxBeginningMs;
    while (this.#size <= bytes && performance.now() < deadlineMs) {
      const piece = await this.#next();
      if (piece === undefined) return false;
      this.#held.push(piece);
    }
    return this.#size > bytes;
  }

  async *pieces(): AsyncGenerator<Buffer> {
    yield* this.#held.splice(0);
    for (let piece = await this.#next(); piece !== undefined; piece = await this.#next()) yield piece;
  }

  /** Call it once all pieces were read. */
  get arrived(): Arrived {
    this.#arrived ??= { size: this.#size, sha256: this.#hash.digest('hex') };
    return this.#arrived;
  }

  async #next(): Promise<Buffer | undefined> {
    if (this.#isOver) return undefined;
    const { done, value } = await this.#source.next();
    if (done === true) {
      this.#isOver = true;
      return undefined;
    }
    this.#hash.update(value);
    this.#size += value.byteLength;
    await this.#checkAccess();
    return value;
  }
}

/** If the last reply times out, the outcome of the upload is unknown. */
function asUnknown(error: unknown): never {
  const { code, message } = error as DomainError;
  if (!(error instanceof DomainError) || !unknownOutcomes.includes(code)) throw error;
  throw new DomainError(
    code,
    `${message} The upload was complete, but it is unknown whether it was stored. Check before you repeat it.`,
    { cause: error },
  );
}

/** An agent that misses this message ends the transfer after its own timeout. */
async function ended(files: AgentFiles, transfer: string): Promise<void> {
  await files.ask('file-end', { transfer }, []).catch(() => undefined);
}

const recheckEveryMs = 1_000;

/**
 * Returns a check that throws once the session, key, role or license no longer permits the transfer. Runs at most once
 * per second.
 */
export function accessCheck(
  ctx: Ctx,
  permissions: readonly Permission[],
  lastingAccess: LastingAccess,
): AccessCheck {
  let lookedAtMs = performance.now();
  return async () => {
    if (performance.now() - lookedAtMs < recheckEveryMs) return;
    lookedAtMs = performance.now();
    await lastingAccess.refuseEnded(ctx, { scheme: 'bearerAuth', permissions });
  };
}
