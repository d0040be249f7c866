// Bounds what a client of the relay may cost before the bus has accepted its credentials.
import type { Duplex } from 'node:stream';

/** Credentials of an agent have about 2 KB, and a client sends nothing else before the bus has answered them. */
const maxBytes = 16 * 1024;
/** Each part that arrives takes memory of its own, however small it is. */
const maxParts = 64;
/** Beyond what the bus allows, which is two seconds unless its operator has changed it. */
const timeLimitMs = 10_000;

export interface Stranger {
  /** The connection of the client, below its WebSocket. */
  client: Duplex;
  /** The connection to the bus that is opened for it. */
  server: Duplex;
  /** Called once, if the bus accepts the client. */
  onAccepted: () => void;
}

/** Ends the client when it sends too much, or takes too long, until it is accepted. */
export function watchStranger({ client, server, onAccepted }: Stranger): void {
  const answer = new FirstAnswer();
  let [bytes, parts] = [0, 0];
  const count = ({ length }: Buffer) => {
    bytes += length;
    parts += 1;
    if (bytes > maxBytes || parts > maxParts) client.destroy();
  };
  const look = (chunk: Buffer) => {
    if (!answer.isAcceptance(chunk)) return;
    stop();
    onAccepted();
  };
  const late = setTimeout(() => client.destroy(), timeLimitMs).unref();
  const stop = () => {
    clearTimeout(late);
    client.off('data', count);
    server.off('data', look);
  };
  // Before the WebSocket, which would already have kept what is too much.
  client.prependListener('data', count);
  client.once('close', stop);
  server.on('data', look);
}

/** Finds out what the bus answers to credentials: it greets with one line, and says nothing more before them. */
class FirstAnswer {
  #isGreeted = false;
  #beginning = '';

  /** Whether the bus has accepted the credentials, as far as it has answered with this chunk. */
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
