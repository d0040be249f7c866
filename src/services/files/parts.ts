// Carries contents of files in parts over the bus, a few at a time.
import { createHash } from 'node:crypto';
import type { ProblemCode } from '../../errors.ts';
import { agentFault, chunkBytes, type AgentFiles } from './agent-files.ts';
import type { AccessCheck, Opened } from './transfer.ts';

/** Maximum parts in flight to the agent. */
const windowSize = 8;

/** Yields the content of a download. The last part is held back until the checksum of the whole is verified. */
export async function* receivedParts(
  files: AgentFiles,
  { transfer, size }: Opened,
  checkAccess: AccessCheck,
  allowedCodes: readonly ProblemCode[],
): AsyncGenerator<Uint8Array> {
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
}

/** Sends the content of an upload. */
export async function sendParts(
  files: AgentFiles,
  transfer: string,
  content: AsyncIterable<Buffer>,
  allowedCodes: readonly ProblemCode[],
): Promise<void> {
  const waiting: Promise<unknown>[] = [];
  let seq = 0;
  for await (const bytes of inParts(content)) {
    const part = files.exchange(transfer, seq, bytes, allowedCodes);
    part.catch(() => undefined); // handled when the part is awaited
    waiting.push(part);
    seq += 1;
    if (waiting.length >= windowSize) await waiting.shift();
  }
  for (const part of waiting) await part;
}

/** Splits the content into parts of equal size; the last one may be shorter. */
async function* inParts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
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
