// Carries contents of files over data connections: the bytes, then a reply with their length and checksum.
import { createHash } from 'node:crypto';
import type { ProblemCode } from '../../errors.ts';
import { PassingMemory } from '../../process/passing-memory.ts';
import { agentFault, refusal, type FileReply } from './agent-files.ts';
import type { DataConnection } from './data-connection.ts';
import type { AccessCheck, Arrived } from './transfer.ts';

/** Yields the content of a download. The last bytes are held back until the checksum of the whole is verified. */
export async function* receivedContent(
  connection: DataConnection,
  size: number,
  checkAccess: AccessCheck,
  allowedCodes: readonly ProblemCode[],
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const memory = new PassingMemory();
  let received = 0;
  let held: Buffer | undefined;
  for (;;) {
    const message = await connection.receive();
    if (Buffer.isBuffer(message)) {
      received += message.byteLength;
      if (received > size) throw agentFault('The agent sent more bytes than the file has.');
      if (held !== undefined) yield held;
      hash.update(message);
      memory.passed(message.byteLength);
      held = message;
      await connection.checkHost();
      await checkAccess();
    } else {
      if (!message.ok) throw refusal(message.error, allowedCodes);
      if (received !== size || message.size !== size)
        throw agentFault('The agent sent fewer bytes than the file has.');
      if (hash.digest('hex') !== message.sha256)
        throw agentFault('The received content does not match the checksum of the agent.');
      if (held !== undefined) yield held;
      return;
    }
  }
}

/** Sends the content of an upload. `arrived` is called once all of it was read. */
export async function sendContent(
  connection: DataConnection,
  content: AsyncIterable<Buffer>,
  arrived: () => Arrived,
  allowedCodes: readonly ProblemCode[],
): Promise<void> {
  const memory = new PassingMemory();
  let isReplied = false;
  // The agent may refuse the content at any time, for example because its disk is full.
  const reply = connection.receiveAnyTime().finally(() => (isReplied = true));
  reply.catch(() => undefined); // handled when the reply is awaited
  for await (const piece of content) {
    if (isReplied) break;
    for (const bytes of inMessages(piece))
      if (!connection.send(bytes)) await Promise.race([connection.drained(), reply]);
    memory.passed(piece.byteLength);
    await connection.checkHost();
  }
  if (!isReplied) {
    connection.send({ v: 1, ok: true, ...arrived() });
    await connection.drained();
  }
  requireStored(await connection.inTime(reply), allowedCodes);
}

function requireStored(reply: Buffer | FileReply, allowedCodes: readonly ProblemCode[]): void {
  if (Buffer.isBuffer(reply)) throw agentFault('The agent sent bytes of an upload.');
  if (!reply.ok) throw refusal(reply.error, allowedCodes);
}

const maxMessageBytes = 1024 * 1024;

function* inMessages(piece: Buffer): Generator<Buffer> {
  for (let start = 0; start < piece.byteLength; start += maxMessageBytes)
    yield piece.subarray(start, start + maxMessageBytes);
}
