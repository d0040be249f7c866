// A mail server on this machine that keeps received messages, and refuses or is down on demand.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export class MailServer {
  readonly messages: string[] = [];
  /** The code of its reply to a message instead of accepting it. */
  refusal: number | undefined;
  /** The text of that reply. */
  refusalText: string | undefined;
  #server: SMTPServer | undefined;
  #port = 0;

  /** Listens, on the same port as before. */
  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 1,
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (this.refusal !== undefined) {
            done(Object.assign(new Error(this.refusalText ?? 'refused'), { responseCode: this.refusal }));
            return;
          }
          this.messages.push(Buffer.concat(chunks).toString());
          done();
        });
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await new Promise<void>((resolve) => server.close(resolve));
  }
}
