// Mail: templates with hostile values, and how messages are stored, sent, retried and abandoned.
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { templates } from '../../src/mail/templates.ts';
import { render, type Template } from '../../src/mail/template.ts';
import { MailOut } from '../../src/mail/mail-out.ts';
import { SecretCipher } from '../../src/secrets/encryption.ts';
import { parseMail } from '../support/mail.ts';
import { until } from '../support/until.ts';
import { jwtSecret, World } from '../support/world.ts';

const url = 'https://panel.example.com';

describe('a template', () => {
  const invitation = { inviter: 'Ann', license: 'Rusty Islands', role: 'Viewer', token: 'secret-1' };

  it("renders a plain text and a simple page with the same content, and the token in the link's fragment", () => {
    const { subject, text, html } = render(templates.invitation, invitation, url);
    expect(subject).toBe('You are invited to Rusty Islands');
    expect(text).toContain('Ann invites you to work on Rusty Islands as Viewer.');
    expect(text).toContain(`${url}/accept-invitation#secret-1`);
    expect(html).toContain(`<a href="${url}/accept-invitation#secret-1">Accept the invitation</a>`);
  });

  it('escapes values, and never evaluates them as templates (CVE-2026-52855)', () => {
    const license = `<img src=x onerror=alert(1)>{{token}}"'&\r\nBcc: everybody@example.com\u2028x`;
    const { subject, text, html } = render(templates.invitation, { ...invitation, license }, url);
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(subject).toContain('{{token}}');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;{{token}}&quot;&#39;&amp; Bcc');
    expect(html).not.toContain('<img');
    expect(text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([]);
  });

  it.each(Object.entries(templates))('%s makes no links of user-defined names', (kind, template) => {
    const bait = 'Pay at https://evil.example.com or www.evil.example.com, ask a@evil.example.com';
    const { asIs = [] }: Template = template;
    const values = Object.fromEntries(
      [...template.values, 'token'].map((name) => [
        name,
        name === 'token' || asIs.includes(name) ? 'ours' : bait,
      ]),
    );
    const { subject, text, html } = render(template, values, url);
    for (const rendered of [subject, text, html]) {
      expect([kind, rendered]).toEqual([
        kind,
        expect.not.stringMatching(/evil\.example|https:\/\/evil|a@evil|www\.e/),
      ]);
    }
  });

  it('names nothing outside its list, and resolves nothing from prototypes', () => {
    const greedy: Template = { ...templates.invitation, paragraphs: ['{{constructor}}'] };
    expect(() => render(greedy, invitation, url)).toThrow('constructor');
    const strange: Template = { ...templates.invitation, values: ['constructor'] };
    expect(() => render(strange, invitation, url)).toThrow('needs the value constructor');
  });

  it.each(Object.entries(templates))('%s names only values of its list', (_kind, template) => {
    const values = Object.fromEntries([...template.values, 'token'].map((name) => [name, `<${name}>`]));
    const { subject, text, html } = render(template, values, url);
    for (const rendered of [subject, text, html]) expect(rendered).not.toContain('{{');
  });
});

describe('a cipher of secrets', () => {
  const cipher = new SecretCipher(jwtSecret, 'a purpose');

  it('decrypts what it encrypted, for the same subject, purpose and secret only', () => {
    const closed = cipher.encrypt('a text', 'ann');
    expect(cipher.decrypt(closed, 'ann')).toBe('a text');
    expect(closed.toString('latin1')).not.toContain('a text');
    expect(() => cipher.decrypt(closed, 'bob')).toThrow();
    expect(() => new SecretCipher(jwtSecret, 'another').decrypt(closed, 'ann')).toThrow();
    expect(() => new SecretCipher(`${jwtSecret}!`, 'a purpose').decrypt(closed, 'ann')).toThrow();
    closed[closed.length - 1] = (closed.at(-1) ?? 0) ^ 1;
    expect(() => cipher.decrypt(closed, 'ann')).toThrow();
  });
});

const letter = {
  to: 'ann@example.com',
  template: 'invitation',
  values: { inviter: 'Zoë', license: 'Rusty Islands', role: 'Viewer', token: 'secret-of-the-link' },
} as const;

/** The statements that enqueue a letter of a real license. */
async function statementsOf(mailOut: MailOut): Promise<[string, string[]][]> {
  const statements: [string, string[]][] = [];
  const execute = async (sql: string, values: string[] = []) => {
    if (!sql.includes('from sandbox')) statements.push([sql, values]);
    return [];
  };
  await mailOut.enqueue({ execute } as never, letter);
  return statements;
}

/** Stores the message in a transaction of its own, as a service would. */
async function enqueue(world: World, mailOut = new MailOut(jwtSecret)): Promise<void> {
  for (const [sql, values] of await statementsOf(mailOut)) {
    let index = 0;
    await world.database.query(
      sql.replace(/\?/g, () => `$${++index}`),
      values,
    );
  }
}

const payloads = (world: World) =>
  world.database.query<{
    payload: { id: string; sealed: string };
    last_error: string | null;
    attempts: number;
  }>(`select payload, last_error, attempts from graphile_worker._private_jobs order by id`);

describe('without a mail server', () => {
  let world: World;
  const logged: string[] = [];

  beforeAll(async () => {
    const log = pino({ level: 'info' }, { write: (line) => void logged.push(line) });
    world = await World.create({ roles: ['api', 'jobs'], log });
  });

  afterAll(async () => {
    await world.close();
  });

  it('messages are files, and the log says where but not what', async () => {
    await enqueue(world);
    const mail = await world.mailTo('ann@example.com');
    expect(mail).toMatchObject({
      subject: 'You are invited to Rusty Islands',
      token: 'secret-of-the-link',
      link: `${world.url}/accept-invitation#secret-of-the-link`,
    });
    expect(mail.text).toContain('Zoë invites you');
    const text = logged.join('');
    expect(text).toContain('SMTP_URL is not set');
    expect(text).toMatch(/"file":"[^"]+\.eml"/);
    expect(text).not.toMatch(/secret-of-the-link|ann@example\.com/);
  });
});

describe('in the queue', () => {
  it('a message is unreadable: both its link and its recipient', async () => {
    const world = await World.create({ roles: ['api'] });
    try {
      await enqueue(world);
      const rows = await payloads(world);
      expect(rows).toHaveLength(1);
      expect(Object.keys(rows[0]?.payload ?? {})).toEqual(['id', 'sealed']);
      const text =
        JSON.stringify(rows) + Buffer.from(rows[0]?.payload.sealed ?? '', 'base64').toString('latin1');
      expect(text).not.toMatch(/secret-of-the-link|example\.com|Rusty/);
    } finally {
      await world.close();
    }
  });
});

describe('with a mail server', () => {
  let smtp: SMTPServer;
  let received: string[] = [];
  let world: World;
  /** The mail server's reply to the next message. */
  let refusals: number[] = [];

  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => {
        const code = refusals.shift();
        done(code === undefined ? null : Object.assign(new Error('refused'), { responseCode: code }));
      },
      onData: (stream, _session, done) => {
        let text = '';
        stream.on('data', (data: Buffer) => (text += data.toString()));
        stream.on('end', () => {
          received.push(text);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    const { port } = smtp.server.address() as AddressInfo;
    world = await World.create({ roles: ['api', 'jobs'], smtpUrl: `smtp://127.0.0.1:${port}` });
  });

  afterAll(async () => {
    await world.close();
    await new Promise<void>((resolve) => smtp.close(resolve));
  });

  beforeEach(() => {
    received = [];
    refusals = [];
  });

  const jobsAreDone = () => until(async () => (await payloads(world)).length === 0, 'the end of the jobs');

  it('messages are sent, with a message id from the job', async () => {
    await enqueue(world);
    await until(() => received.length === 1, 'the message');
    const mail = parseMail(received[0] ?? '');
    expect(mail).toMatchObject({ to: 'ann@example.com', token: 'secret-of-the-link' });
    expect(mail.id).toMatch(/^[0-9a-f-]{36}@example\.com$/);
    expect(received[0]).toContain('Auto-Submitted: auto-generated');
    await jobsAreDone();
  });

  it('a job that runs again sends nothing again', async () => {
    const [[, values] = []] = await statementsOf(new MailOut(jwtSecret));
    const payload = values?.[1];
    for (let time = 0; time < 2; time += 1) {
      await world.database.query(`select graphile_worker.add_job('send-mail', $1::json)`, [payload]);
      await until(() => received.length === 1, 'the message');
      await jobsAreDone();
    }
    expect(received).toHaveLength(1);
  });

  it('a message that the server accepts later is retried with the same id', async () => {
    refusals = [451];
    await enqueue(world);
    const [failed] = await until(async () => {
      const rows = await payloads(world);
      return rows.some(({ attempts, last_error }) => attempts > 0 && last_error !== null) ? rows : undefined;
    }, 'the failure');
    expect(received).toEqual([]);
    await world.database.query('update graphile_worker._private_jobs set run_at = now()');
    await until(() => received.length === 1, 'the message');
    expect(parseMail(received[0] ?? '').id).toContain(failed?.payload.id);
    await jobsAreDone();
  });

  it('a message with a permanent rejection is abandoned', async () => {
    refusals = [550];
    await enqueue(world);
    await until(() => refusals.length === 0, 'the refusal');
    await jobsAreDone();
    expect(received).toEqual([]);
  });

  it('a message that cannot be decrypted any more is abandoned', async () => {
    const cipher = new SecretCipher(jwtSecret, 'gantry mail');
    const id = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a10';
    const old = { mail: letter, writtenAt: Date.now() - 25 * 3_600_000 };
    const sealed = cipher.encrypt(JSON.stringify(old), id).toString('base64');
    await world.database.query(`select graphile_worker.add_job('send-mail', $1::json)`, [
      JSON.stringify({ id, sealed }),
    ]);
    await jobsAreDone();
    expect(received).toEqual([]);
  });
});

it('an unresponsive mail server does not delay other jobs', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const world = await World.create({ roles: ['api', 'jobs'], smtpUrl: `smtp://127.0.0.1:${port}` });
  try {
    await enqueue(world);
    await until(() => sockets.length > 0, 'the connection');
    await world.database.query(`select graphile_worker.add_job('housekeeping', '{}')`);
    await until(async () => (await payloads(world)).length === 1, 'the other job being done');
  } finally {
    for (const socket of sockets) socket.destroy();
    await world.close();
    silent.close();
  }
});
