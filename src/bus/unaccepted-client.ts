// Limits what a client of the relay can cost before the bus has accepted its credentials.
import type { Duplex } from 'node:stream';

/** An agent's credentials take about 2 KB, and clients send nothing else before the bus replies. */
const maxBytes = 16 * 1024;
/** Every chunk that arrives takes memory, even a small one. */
const maxParts = 64;
/** Longer than the bus's own time limit, which is two seconds by default. */
const timeLimitMs = 10_000;

export interface UnacceptedClient {
  /** The connection of the client, below its WebSocket. */
  client: Duplex;
  /** The connection to the bus that is opened for it. */
  server: Duplex;
  /** Called once, if the bus accepts the client. */
  onAccepted: () => void;
}

/** Disconnects the client if it sends too much or takes too long before the bus accepts it. */
export function watchUnaccepted({ client, server, onAccepted }: UnacceptedClient): void {
  const reply = new FirstReply();
  let [bytes, parts] = [0, 0];
  const count = ({ length }: Buffer) => {
    bytes += length;
    parts += 1;
    if (bytes > maxBytes || parts > maxParts) client.destroy();
  };
  const look = (chunk: Buffer) => {
    if (!reply.isAcceptance(chunk)) return;
    stop();
    onAccepted();
  };
  const late = setTimeout(() => client.destroy(), timeLimitMs).unref();
  const stop = () => {
    clearTimeout(late);
    client.off('data', count);
    server.off('data', look);
  };
  // Ahead of the WebSocket's own listener, which would already have buffered the excess.
  client.prependListener('data', count);
  client.once('close', stop);
  server.on('data', look);
}

/** Recognises the first reply of the bus to credentials. The bus sends one line of greeting before them. */
class FirstReply {
  #isGreeted = false;
  #beginning = '';

  /** Whether the bus has accepted the credentials, judged by all it has sent up to this chunk. */
  isAcceptance(chunk: Buffer): boolean {
    let rest = chunk;
    if (!this.#isGreeted) {
      const end = chunk.indexOf('\n');
      if (end === -1) return false;
      this.#isGreeted = true;
      rest = chunk.subarray(end + 1);
    }
    this.#beginning += rest.toString('latin1', 0, 4 - this.#beginning.length);
    return /^(?:PONG|INFO|\+OK)/.test(this.#beginning);
  }
}
