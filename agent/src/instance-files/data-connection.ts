// Opens a connection to the platform over which the content of one file travels.
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { causeOf } from '../errors.ts';
import { FileError } from './file-error.ts';

const maxMessageBytes = 1024 * 1024;
/** Messages that wait to be read; while there are more, nothing is read from the connection. */
const maxUnread = 4;
/** Shorter than the platform waits for a reply. */
const openingMs = 3_500;
/** With several replicas behind one address, a connection may reach another than the one that waits for it. */
const maxAttempts = 4;
const misdirected = 421;

/** Binary messages are read as buffers, texts as strings. */
export type DataConnection = Duplex;

export interface ConnectionOptions {
  /** The platform's address. */
  url: string;
  ticket: string;
  /** Signs a text with the host's key, in base64url. */
  sign: (text: string) => string;
}

class RefusedConnection extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the platform responds with status ${status}`);
    this.status = status;
  }
}

export async function openDataConnection({ url, ticket, sign }: ConnectionOptions): Promise<DataConnection> {
  const headers = { 'gantry-ticket': ticket, 'gantry-signature': sign(`gantry-files.${ticket}`) };
  const deadlineMs = performance.now() + openingMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open(url, headers, Math.max(deadlineMs - performance.now(), 1));
    } catch (error) {
      const isElsewhere = error instanceof RefusedConnection && error.status === misdirected;
      if (!isElsewhere || attempt === maxAttempts || performance.now() >= deadlineMs)
        throw new FileError('failed', `No data connection could be opened: ${causeOf(error)}.`);
    }
  }
}

function open(url: string, headers: Record<string, string>, timeoutMs: number): Promise<DataConnection> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/agent/files`, {
    headers,
    handshakeTimeout: timeoutMs,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    // Zeros leave the bytes as they are. Masks protect against scripts in browsers, and cost much of the speed.
    generateMask: (mask) => mask.fill(0),
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.once('unexpected-response', (request, { statusCode = 0 }) => {
      request.destroy();
      reject(new RefusedConnection(statusCode));
    });
    const stream = createWebSocketStream(socket, {
      readableObjectMode: true,
      readableHighWaterMark: maxUnread,
      writableHighWaterMark: maxMessageBytes,
      decodeStrings: false,
    });
    stream.on('error', () => undefined); // the transfer sees that its connection is closed
    socket.once('open', () => resolve(stream));
  });
}

/** Resolves once the bytes were taken by the operating system, so that their memory can be used again. */
export function sent(connection: DataConnection, message: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.write(message, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}
