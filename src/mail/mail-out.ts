// The mail outbox: messages are enqueued with the transaction that causes them, and sent by a job.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { Transactions } from '../database/transactions.ts';
import { SentMail } from '../entities/index.ts';
import { sandboxMailDomain } from '../entities/sandbox.ts';
import { currentLicense } from '../entities/tenant.ts';
import { enqueueJob } from '../queue/enqueue.ts';
import { MailRefused, type Mailer } from './mailer.ts';
import { render } from './template.ts';
import { templates, type Mail } from './templates.ts';
import { purposes, SecretCipher } from '../secrets/encryption.ts';

/** A message that could not be sent for this long is outdated. */
const usefulMs = 24 * 60 * 60_000;

interface Letter {
  mail: Mail;
  writtenAt: number;
}

/** The job's payload. The rest is encrypted, because the queue is readable in the database and links are secrets. */
export interface EncryptedLetter {
  id: string;
  sealed: string;
}

/** Enqueues messages; they are sent if, and only if, the transaction commits. */
export class MailOut {
  readonly #cipher: SecretCipher;

  constructor(secret: string) {
    this.#cipher = new SecretCipher(secret, purposes.mail);
  }

  /**
   * Mail of one owner shares a few connections to the mail server; the owner is the transaction's license unless given.
   * Sandboxes send no mail: anybody can create one, and enter anybody's address in it.
   */
  async enqueue(em: EntityManager, mail: Mail, owner?: string): Promise<void> {
    if (mail.to.endsWith(`@${sandboxMailDomain}`)) return;
    const sandboxes = await em.execute(`select from sandbox where license_id = ${currentLicense}`);
    if (sandboxes.length > 0) return;
    const id = randomUUID();
    const letter: Letter = { mail, writtenAt: Date.now() };
    const sealed = this.#cipher.encrypt(JSON.stringify(letter), id).toString('base64');
    await enqueueJob(em, 'send-mail', { id, sealed }, owner === undefined ? {} : { owner });
  }

  open({ id, sealed }: EncryptedLetter): Letter {
    return JSON.parse(this.#cipher.decrypt(Buffer.from(sealed, 'base64'), id)) as Letter;
  }
}

export interface PostmanOptions {
  platform: PlatformScope;
  transactions: Pick<Transactions, 'refuseInside'>;
  mailOut: MailOut;
  mailer: Mailer;
  publicUrl: () => string;
  log: Logger;
}

/**
 * Sends messages. A message is sent once, unless the process died, or was taken for dead, between sending it and
 * recording that.
 */
export class Postman {
  readonly #options: PostmanOptions;

  constructor(options: PostmanOptions) {
    this.#options = options;
  }

  async send(letter: EncryptedLetter): Promise<void> {
    const { platform, transactions, mailOut, mailer, publicUrl, log } = this.#options;
    transactions.refuseInside('sending mail');
    const { id } = letter;
    const { mail, writtenAt } = mailOut.open(letter);
    const { to, template } = mail;
    // A transaction, unlike a read, refuses a job that another process has taken over.
    const wasSent = await platform.transact('jobs', (_em, queries) =>
      queries.selectFrom('sent_mail').select('id').where('id', '=', id).executeTakeFirst(),
    );
    if (wasSent !== undefined) return;
    if (Date.now() - writtenAt > usefulMs) {
      log.error({ mail: id, template }, 'a message could not be sent for a day and is given up');
      return;
    }
    const rendered = render(templates[template], mail.values, publicUrl());
    try {
      await mailer.send({ id, to, ...rendered });
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.error({ err: error, mail: id, template }, 'a message was refused and is given up');
      return;
    }
    await platform.transact('jobs', async (em) => {
      em.create(SentMail, { id });
    });
  }
}
