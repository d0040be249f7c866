// A client that keeps its one connection for as long as it may, never tries a request again, and counts what became of each.
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';

export interface KeptRequest {
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
  /** Requests that got an answer, by method and status. */
  readonly answered = new Map<string, number>();
  /** Requests that got none, with what the connection said. */
  readonly cut: string[] = [];

  constructor(base: string) {
    this.#base = new URL(base);
  }

  /** The answer; undefined if the connection ended without one. */
  async send({ method, path, headers = {}, body }: KeptRequest): Promise<Reply | undefined> {
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
      this.answered.set(kind, (this.answered.get(kind) ?? 0) + 1);
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

/** What several clients counted, together. */
export function sumOf(clients: readonly KeepAliveClient[]): { answered: Map<string, number>; cut: string[] } {
  const answered = new Map<string, number>();
  for (const client of clients)
    for (const [kind, count] of client.answered) answered.set(kind, (answered.get(kind) ?? 0) + count);
  return { answered, cut: clients.flatMap(({ cut }) => cut) };
}
