// A connection over which an agent carries the content of one file: binary messages, then a reply as text.
import type { Duplex } from 'node:stream';
import { BadMessage, type Reader } from '../../bus/messages.ts';
import { DomainError } from '../../errors.ts';
import { agentFault, type FileReply } from './agent-files.ts';

/** How long an agent may leave what was sent unread, or send nothing, while the platform waits for it. */
const silenceMs = 30_000;

/** A stream of messages: those in binary are read as buffers, texts as strings. */
export type MessageStream = Duplex;

export class DataConnection {
  readonly #stream: MessageStream;
  readonly #messages: AsyncIterator<Buffer | string>;
  readonly #readReply: Reader<FileReply>;
  readonly #checkHost: () => Promise<void>;

  /** `checkHost` throws once the host may no longer have a connection. */
  constructor(stream: MessageStream, readReply: Reader<FileReply>, checkHost: () => Promise<void>) {
    this.#stream = stream;
    this.#messages = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer | string>;
    this.#readReply = readReply;
    this.#checkHost = checkHost;
  }

  /** Throws once the host has lost its credentials. */
  checkHost(): Promise<void> {
    return this.#checkHost();
  }

  /** Returns false if the agent has to take some of what was sent before more is sent; see `drained`. */
  send(message: Buffer | FileReply): boolean {
    if (this.#stream.destroyed) throw brokenOff();
    return this.#stream.write(Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** Resolves when more may be sent. Throws if the agent takes nothing for too long. */
  drained(): Promise<void> {
    if (!this.#stream.writableNeedDrain) return Promise.resolve();
    return this.inTime(
      new Promise((resolve, reject) => {
        const settle = () => {
          this.#stream.off('drain', settle).off('close', settle);
          if (this.#stream.destroyed) reject(brokenOff());
          else resolve();
        };
        this.#stream.on('drain', settle).on('close', settle);
      }),
    );
  }

  /** Returns the next bytes, or the reply that ends the content. Throws if neither arrives in time. */
  receive(): Promise<Buffer | FileReply> {
    return this.inTime(this.receiveAnyTime());
  }

  /** Like `receive`, without a time limit. */
  async receiveAnyTime(): Promise<Buffer | FileReply> {
    const next = await this.#messages.next().catch((error: unknown) => {
      throw brokenOff(error);
    });
    if (next.done === true) throw brokenOff();
    if (typeof next.value !== 'string') return next.value;
    try {
      return this.#readReply(Buffer.from(next.value));
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      throw agentFault('The agent sent an invalid reply.', error);
    }
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Throws if the work, which waits for the agent, takes too long. */
  async inTime<T>(work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(tooLate()), silenceMs);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

export const brokenOff = (cause?: unknown) =>
  new DomainError('agent_offline', 'The connection to the agent broke off during the transfer.', { cause });

const tooLate = () =>
  new DomainError('agent_timeout', `The agent transferred nothing for ${silenceMs / 1000} seconds.`);
