// Sends file requests of one instance to its agent, and translates the agent's refusals into problems.
import type { Bus } from '../../bus/bus.ts';
import { BadMessage, type Reader } from '../../bus/messages.ts';
import type { BusSchemas, FileVerb } from '../../platform-contract/bus-types.ts';
import { problemOfRefusal } from '../../agent-requests/refusals.ts';
import { DomainError, notFound, type ProblemCode } from '../../errors.ts';

export type FileReply = BusSchemas['FileReply'];
type FileError = BusSchemas['FileError'];
type Fields = Omit<BusSchemas['FileRequest'], 'v' | 'host_id' | 'instance'>;

export const chunkBytes = 256 * 1024;

const lineFeed = 10;
/** Maximum bytes of the JSON line in a reply. */
const maxLineLength = 2048;

/** The instance and its host. */
export interface Target {
  hostId: string;
  instance: string;
}

export class AgentFiles {
  readonly target: Target;
  readonly #bus: Bus;
  readonly #readChunkReply: Reader<BusSchemas['FileChunkReply']>;

  constructor(bus: Bus, target: Target) {
    this.#bus = bus;
    this.target = target;
    this.#readChunkReply = bus.messages.reader('FileChunkReply');
  }

  /** Throws the agent's refusal. A refusal that the operation does not declare counts as the agent's fault. */
  async ask(
    verb: FileVerb,
    fields: Fields,
    allowedCodes: readonly ProblemCode[],
    seconds?: number,
  ): Promise<FileReply> {
    const { hostId, instance } = this.target;
    const request = { v: 1 as const, host_id: hostId, instance, ...fields };
    const reply = await refusingInvalidReplies(() => this.#bus.ask(hostId, verb, request, seconds));
    if (reply.ok) return reply;
    throw refusal(reply.error, allowedCodes);
  }

  /** Has the agent open a data connection for the transfer. Returns the reason if it does not. */
  async connect(transfer: string, ticket: string): Promise<string | undefined> {
    const { hostId, instance } = this.target;
    const request = { v: 1 as const, host_id: hostId, instance, transfer, ticket };
    const { ok, error } = await refusingInvalidReplies(() => this.#bus.ask(hostId, 'file-connect', request));
    return ok ? undefined : (error?.detail ?? 'no reason');
  }

  /** Sends a part of an upload, or fetches a part of a download when `bytes` is absent. */
  async exchange(
    transfer: string,
    seq: number,
    bytes: Uint8Array | undefined,
    allowedCodes: readonly ProblemCode[],
  ): Promise<{ bytes: Uint8Array; sha256: string | undefined }> {
    const { hostId } = this.target;
    const line = Buffer.from(`${JSON.stringify({ v: 1, host_id: hostId, transfer, seq })}\n`);
    const chunk = bytes === undefined ? line : Buffer.concat([line, bytes]);
    const { head, body } = await refusingInvalidReplies(async () =>
      this.#parted(await this.#bus.exchangeFileChunk(hostId, chunk), seq),
    );
    if (!head.ok) throw refusal(head.error, allowedCodes);
    return { bytes: body, sha256: head.sha256 };
  }

  #parted(data: Uint8Array, seq: number) {
    const end = data.subarray(0, maxLineLength).indexOf(lineFeed);
    if (end === -1) throw new BadMessage('has no line of JSON');
    const head = this.#readChunkReply(data.subarray(0, end));
    const body = data.subarray(end + 1);
    if (head.ok && head.seq !== seq) throw new BadMessage('is another part');
    if (body.byteLength > chunkBytes) throw new BadMessage('has more bytes than a part');
    return { head, body };
  }
}

export const agentFault = (detail: string, cause?: unknown) =>
  new DomainError('agent_refused', detail, { cause });

/** A reply that breaks the contract is the agent's fault, not the caller's or the platform's. */
async function refusingInvalidReplies<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error;
    throw agentFault('The agent sent an invalid reply.', error);
  }
}

export function refusal(error: FileError | undefined, allowedCodes: readonly ProblemCode[]): DomainError {
  if (error === undefined) return agentFault('The agent refused the request without a reason.');
  if (error.code === 'not_found') return notFound('file');
  if (error.code === 'unknown_instance') return agentFault('The agent no longer has this instance.');
  const code = problemOfRefusal(error.code, 'files');
  return allowedCodes.includes(code) ? new DomainError(code, error.detail) : agentFault(error.detail);
}
