// One connection to a WebRCON server: requests with their replies, broadcasts, and the reason why it ended.
import { connect } from 'node:net';
import type { NetConnectOpts, Socket } from 'node:net';
import { WebSocket } from 'ws';
import { readFrame, requestFrame } from './frames.ts';
import type { RconFrame } from './frames.ts';

/** `refused`: wrong password. `unreachable`: no server there. `broken`: invalid WebRCON. */
export type RconFault = 'refused' | 'unreachable' | 'broken';

export class RconError extends Error {
  readonly fault: RconFault | 'silent';

  constructor(fault: RconFault | 'silent', detail: string) {
    super(detail);
    this.fault = fault;
  }
}

export interface RconTarget {
  host: string;
  port: number;
  password: string;
}

interface Waiting {
  resolve: (text: string) => void;
  reject: (error: RconError) => void;
  timer: NodeJS.Timeout;
}

const handshakeTimeoutMs = 5_000;
/** A list of 1,000 players has about 300 KB. */
const maxFrameBytes = 4 * 1024 * 1024;
const maxWaiting = 100;
const maxUnsentBytes = 1024 * 1024;
const maxGarbage = 20;
/** Servers use lower ids for broadcasts. */
const firstId = 1_001;
const lastId = 2 ** 31 - 1;

export class RconConnection {
  /** Resolves with the reason once the connection has ended. */
  readonly ended: Promise<RconError>;
  readonly #socket: WebSocket;
  #stream: Socket | undefined;
  readonly #onBroadcast: (frame: RconFrame) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #end = Promise.withResolvers<RconError>();
  #reason: RconError | null = null;
  #nextId = firstId;
  #frames = 0;
  #garbage = 0;

  constructor({ host, port, password }: RconTarget, onBroadcast: (frame: RconFrame) => void) {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    this.#onBroadcast = onBroadcast;
    this.ended = this.#end.promise;
    this.#socket = new WebSocket(`ws://${authority}/${encodeURIComponent(password)}`, {
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
      followRedirects: false,
      createConnection: ((options: NetConnectOpts) => (this.#stream = connect(options))) as typeof connect,
    });
    this.#socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    this.#socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      const isRefusal = statusCode === 401 || statusCode === 403;
      this.#fail(
        isRefusal
          ? new RconError('refused', 'The game server refuses the RCON password.')
          : new RconError(
              'broken',
              `What listens on ${authority} is no WebRCON server (status ${statusCode}).`,
            ),
      );
    });
    this.#socket.on('error', (error: Error & { code?: unknown }) => {
      const isTooLarge = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      const isProtocol = typeof error.code === 'string' && error.code.startsWith('WS_ERR_');
      if (isTooLarge)
        this.#fail(new RconError('broken', 'The game server sent a frame larger than 4 MiB over RCON.'));
      else if (isProtocol)
        this.#fail(
          new RconError('broken', `The game server breaks the WebSocket protocol: ${error.message}`),
        );
      else
        this.#fail(new RconError('unreachable', `RCON cannot be reached at ${authority}: ${error.message}`));
    });
    this.#socket.on('close', () => this.#finish());
  }

  /** Waits for the connection, sends one command and returns its reply, which may be empty. */
  async request(command: string, timeoutMs: number): Promise<string> {
    if (this.#reason === null && this.#socket.readyState === WebSocket.CONNECTING) await this.#opened();
    return this.send(command, timeoutMs);
  }

  /** Sends immediately. Throws when nothing could be sent; the promise rejects when no reply came. */
  send(command: string, timeoutMs: number): Promise<string> {
    if (this.#socket.readyState !== WebSocket.OPEN) throw this.#reason ?? this.#closedByServer();
    if (this.#waiting.size >= maxWaiting || this.#socket.bufferedAmount > maxUnsentBytes)
      throw new RconError('silent', 'Too many commands are waiting for the game server.');
    return this.#send(this.#frame(command), timeoutMs);
  }

  /** Sends the commands in order and in one write: if the agent dies, either all of them or none were sent. */
  requestTogether(commands: readonly string[], timeoutMs: number): Promise<string>[] {
    if (this.#socket.readyState !== WebSocket.OPEN) throw this.#reason ?? this.#closedByServer();
    if (this.#waiting.size + commands.length > maxWaiting || this.#socket.bufferedAmount > 0)
      throw new RconError('silent', 'Too many commands are waiting for the game server.');
    const frames = commands.map((command) => this.#frame(command));
    this.#stream?.cork();
    try {
      return frames.map((frame) => this.#send(frame, timeoutMs));
    } finally {
      this.#stream?.uncork();
    }
  }

  /** Throws for an invalid command, before anything is sent. */
  #frame(command: string): { id: number; text: string } {
    const id = this.#nextId;
    const text = requestFrame(id, command);
    this.#nextId = id === lastId ? firstId : id + 1;
    return { id, text };
  }

  #send({ id, text }: { id: number; text: string }, timeoutMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new RconError('silent', `The game server did not reply within ${timeoutMs / 1000} s.`));
      }, timeoutMs);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#socket.send(text);
    });
  }

  close(reason = new RconError('unreachable', 'The agent has ended the RCON connection.')): void {
    this.#fail(reason);
  }

  async #opened(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.once('open', resolve);
      this.#socket.once('close', () => resolve());
    });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    const frame = isBinary ? null : readFrame(data.toString('utf8'));
    if (frame === null) {
      this.#garbage += 1;
      if (this.#garbage > maxGarbage)
        this.#fail(new RconError('broken', 'The messages of the game server are not WebRCON.'));
      return;
    }
    this.#garbage = 0;
    this.#frames += 1;
    const waiting = this.#waiting.get(frame.id);
    if (waiting === undefined) {
      this.#onBroadcast(frame);
      return;
    }
    this.#waiting.delete(frame.id);
    clearTimeout(waiting.timer);
    waiting.resolve(frame.text);
  }

  #fail(reason: RconError): void {
    this.#reason ??= reason;
    this.#socket.terminate();
  }

  #finish(): void {
    this.#reason ??= this.#closedByServer();
    for (const { timer, reject } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(this.#reason);
    }
    this.#waiting.clear();
    this.#end.resolve(this.#reason);
  }

  /** A server that closes the connection before its first frame refuses the password; WebRCON has no error for it. */
  #closedByServer(): RconError {
    return this.#frames === 0
      ? new RconError('refused', 'The game server closed the connection at once; the RCON password is wrong.')
      : new RconError('unreachable', 'The game server has closed the RCON connection.');
  }
}
