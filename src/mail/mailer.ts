// Hands messages to a mail server or, without one, writes them into files.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { RenderedMail } from './template.ts';

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server wants them. */
  smtpUrl: string | undefined;
  from: string;
  /** Where messages go without a mail server. */
  directory: string;
}

export interface OutgoingMail extends RenderedMail {
  /** The same for every attempt, so that whoever gets the message twice can tell. */
  id: string;
  to: string;
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail server refuses this message for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

const connectionMs = 15_000;
const silenceMs = 30_000;

export function createMailer(settings: MailSettings, log: Logger): Mailer {
  return settings.smtpUrl === undefined
    ? new MailFiles(settings, log)
    : new MailServer(settings.smtpUrl, settings.from);
}

class MailServer implements Mailer {
  readonly #transport;
  readonly #from: string;

  constructor(url: string, from: string) {
    this.#from = from;
    this.#transport = createTransport({
      url,
      pool: true,
      maxConnections: 2,
      // Who asked for the message tries again, by a rule of its own.
      maxRequeues: 0,
      connectionTimeout: connectionMs,
      greetingTimeout: connectionMs,
      socketTimeout: silenceMs,
      ...hostile,
    });
  }

  async send(mail: OutgoingMail): Promise<void> {
    try {
      await this.#transport.sendMail(messageOf(mail, this.#from));
    } catch (error) {
      if (isRefusal(error)) throw new MailRefused('the mail server refuses the message', { cause: error });
      throw error;
    }
  }

  close(): void {
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

  /** The whole file appears at once, under the same name should it be written again. */
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

/** Nothing of a message may make nodemailer read a file or fetch a URL. */
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

/** The server took the connection and said that it will never take this recipient or this text. */
function isRefusal(thrown: unknown): boolean {
  const { code, responseCode = 0 } = thrown as { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
}
