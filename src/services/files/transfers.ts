// Streams file contents between a caller and an agent, a few parts at a time and never whole.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DomainError, type ProblemCode } from '../../errors.ts';
import { agentFault, chunkBytes, type AgentFiles, type FileReply } from './agent-files.ts';
import { unknownOutcomes } from './audit.ts';
import type { Ctx } from '../../context.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import type { Permission } from '../permissions/permission-map.ts';

/** Maximum parts in flight to the agent. */
const windowSize = 8;
/** How long an agent may take to write an upload to disk. */
const finishSeconds = 25;

/** Throws once the caller is no longer permitted to continue. */
export type AccessCheck = () => Promise<void>;

export interface Opened {
  transfer: string;
  size: number;
}

/**
 * Streams a download. The last part is held back until the checksum of the whole is verified, so that a damaged
 * download is never complete. A reader that stops ends the transfer.
 */
export function downloadOf(
  files: AgentFiles,
  { transfer, size }: Opened,
  checkAccess: AccessCheck,
  allowedCodes: readonly ProblemCode[],
): Readable {
  const parts = async function* () {
    const hash = createHash('sha256');
    const count = Math.max(Math.ceil(size / chunkBytes), 1);
    const waiting: ReturnType<AgentFiles['exchange']>[] = [];
    let requestedCount = 0;
    for (let seq = 0; seq < count; seq += 1) {
      while (requestedCount < count && requestedCount < seq + windowSize) {
        const part = files.exchange(transfer, requestedCount, undefined, allowedCodes);
        part.catch(() => undefined); // handled when the part is awaited
        waiting.push(part);
        requestedCount += 1;
      }
      const { bytes, sha256 } = await (waiting.shift() as (typeof waiting)[number]);
      if (bytes.byteLength !== Math.min(chunkBytes, size - seq * chunkBytes))
        throw agentFault('The agent sent a part of unexpected length.');
      hash.update(bytes);
      if (seq === count - 1 && hash.digest('hex') !== sha256)
        throw agentFault('The received content does not match the checksum of the agent.');
      await checkAccess();
      yield bytes;
    }
  };
  const iterator = parts();
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

export interface Arrived {
  size: number;
  sha256: string;
}

/** Sends the body to the agent part by part and has the file put in place. A failure leaves nothing behind. */
export async function sendUpload(
  files: AgentFiles,
  { transfer }: Opened,
  { body, sha256, checkAccess, finishing = (_arrived, finish) => finish() }: Sending,
  allowedCodes: readonly ProblemCode[],
): Promise<Arrived & { entry: FileReply['entry'] }> {
  const hash = createHash('sha256');
  const waiting: Promise<unknown>[] = [];
  let seq = 0;
  let size = 0;
  try {
    for await (const bytes of inParts(body)) {
      hash.update(bytes);
      size += bytes.byteLength;
      const part = files.exchange(transfer, seq, bytes, allowedCodes);
      part.catch(() => undefined); // handled when the part is awaited
      waiting.push(part);
      seq += 1;
      if (waiting.length >= windowSize) await waiting.shift();
      await checkAccess();
    }
    for (const part of waiting) await part;
    await checkAccess(); // the body may have taken long to end
    const arrived = { size, sha256: hash.digest('hex') };
    if (sha256 !== undefined && sha256 !== arrived.sha256)
      throw new DomainError('checksum_mismatch', `The body's SHA-256 is ${arrived.sha256}.`);
    const { entry } = await finishing(arrived, () =>
      files.ask('file-finish', { transfer, ...arrived }, allowedCodes, finishSeconds).catch(asUnknown),
    );
    return { ...arrived, entry };
  } catch (error) {
    await ended(files, transfer);
    throw error;
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

/** Splits the body into parts of equal size; the last one may be shorter. */
async function* inParts(body: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  // Keeps the request open on an error, so that the caller still gets a response.
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    held.push(piece);
    length += piece.byteLength;
    while (length >= chunkBytes) {
      const joined = Buffer.concat(held, length);
      yield joined.subarray(0, chunkBytes);
      held = [joined.subarray(chunkBytes)];
      length -= chunkBytes;
    }
  }
  if (length > 0) yield Buffer.concat(held, length);
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
