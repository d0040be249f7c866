// A client that keeps its one connection as long as possible, never retries a request, and counts the
// outcomes.
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';

export interface RecordedRequest {
  method: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: Buffer | string;
}

export interface Reply {
  status: number;
  connection: string | undefined;
  text: string;
}

export class KeepAliveClient {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Requests that got a response, by method and status. */
  readonly responses = new Map<string, number>();
  /** Requests without a response, with the error of the connection. */
  readonly cut: string[] = [];

  constructor(base: string) {
    this.#base = new URL(base);
  }

  /** The response; undefined if the connection ended without one. */
  async send({ method, path, headers = {}, body }: RecordedRequest): Promise<Reply | undefined> {
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        const { hostname, port } = this.#base;
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const request = httpRequest(
          { hostname, port, path, method, headers: { ...headers, ...length }, agent: this.#agent },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                connection: response.headers.connection,
                text: Buffer.concat(chunks).toString(),
              }),
            );
          },
        );
        request.on('error', reject);
        request.end(body);
      });
      const kind = `${method} ${reply.status}`;
      this.responses.set(kind, (this.responses.get(kind) ?? 0) + 1);
      return reply;
    } catch (error) {
      this.cut.push(`${method} ${path}: ${Error.isError(error) ? error.message : String(error)}`);
      return undefined;
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The sum of the counts of several clients. */
export function sumOf(clients: readonly KeepAliveClient[]): {
  responses: Map<string, number>;
  cut: string[];
} {
  const responses = new Map<string, number>();
  for (const client of clients)
    for (const [kind, count] of client.responses) responses.set(kind, (responses.get(kind) ?? 0) + count);
  return { responses, cut: clients.flatMap(({ cut }) => cut) };
}
