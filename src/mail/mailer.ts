// Sends messages through a mail server or, without one, writes them into files.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { RenderedMail } from './template.ts';

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  smtpUrl: string | undefined;
  from: string;
  /** Directory for messages if there is no mail server. */
  directory: string;
}

export interface OutgoingMail extends RenderedMail {
  /** The same for every attempt, so that a receiver can recognize duplicates. */
  id: string;
  to: string;
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail server refuses this message permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

const connectionMs = 10_000;
/** Total time limit, from connecting to the server's last reply. */
const sendingMs = 20_000;

/** `limitMs` is how long a mail server may take for one message. */
export function createMailer(settings: MailSettings, log: Logger, limitMs = sendingMs): Mailer {
  return settings.smtpUrl === undefined
    ? new MailFiles(settings, log)
    : new MailServer(settings.smtpUrl, settings.from, limitMs);
}

/** One connection per message: no message waits for another, and a connection that takes too long is closed. */
class MailServer implements Mailer {
  readonly #transport;
  readonly #from: string;
  readonly #limitMs: number;
  readonly #closing = new AbortController();

  constructor(url: string, from: string, limitMs: number) {
    this.#from = from;
    this.#limitMs = limitMs;
    this.#transport = createTransport({
      url,
      connectionTimeout: connectionMs,
      greetingTimeout: connectionMs,
      dnsTimeout: connectionMs,
      ...hostile,
    });
  }

  async send(mail: OutgoingMail): Promise<void> {
    const deadline = AbortSignal.timeout(this.#limitMs);
    try {
      await this.#transport.sendMail({
        ...messageOf(mail, this.#from),
        signal: AbortSignal.any([deadline, this.#closing.signal]),
      });
    } catch (error) {
      const cause = withoutAddress(error, mail.to);
      if (deadline.aborted)
        throw new Error(`the mail server did not take the message within ${this.#limitMs} ms`, { cause });
      if (isRefusal(error)) throw new MailRefused('the mail server refuses the message', { cause });
      throw cause;
    }
  }

  close(): void {
    this.#closing.abort();
    this.#transport.close();
  }
}

class MailFiles implements Mailer {
  readonly #transport = createTransport({ streamTransport: true, buffer: true, ...hostile });
  readonly #from: string;
  readonly #directory: string;
  readonly #log: Logger;

  constructor({ from, directory }: MailSettings, log: Logger) {
    this.#from = from;
    this.#directory = resolve(directory);
    this.#log = log;
    log.info(
      { directory: this.#directory },
      'SMTP_URL is not set: messages are written into files instead of being sent',
    );
  }

  /** Writes the file atomically, and under the same name if it is written again. */
  async send(mail: OutgoingMail): Promise<void> {
    const { message } = await this.#transport.sendMail(messageOf(mail, this.#from));
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = join(this.#directory, `${mail.id}.eml`);
    await writeFile(`${file}.part`, message, { mode: 0o600 });
    await rename(`${file}.part`, file);
    this.#log.info({ file }, 'a message was written');
  }

  close(): void {
    this.#transport.close();
  }
}

/** No content of a message may make nodemailer read a file or fetch a URL. */
const hostile = { disableFileAccess: true, disableUrlAccess: true } as const;

function messageOf({ id, to, subject, text, html }: OutgoingMail, from: string) {
  return {
    messageId: `<${id}@${/@([^\s@>]+)>?$/.exec(from)?.[1] ?? 'localhost'}>`,
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** Whether the server replied that it will never accept this recipient or this text. */
function isRefusal(thrown: unknown): boolean {
  const { code, responseCode = 0 } = thrown as { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
}

/** Mail servers repeat the address that they refuse; neither the log nor the job list may keep it. */
function withoutAddress(thrown: unknown, address: string): Error {
  const { message, code, responseCode } = thrown as Error & { code?: string; responseCode?: number };
  const pattern = new RegExp(address.replace(/\W/g, String.raw`\$&`), 'gi');
  return Object.assign(new Error(message.replace(pattern, 'the recipient')), { code, responseCode });
}
