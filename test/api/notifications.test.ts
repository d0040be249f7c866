// Operations of the area `notifications`, and the messages that receivers get.
import type { components } from '../../generated/platform.d.ts';
import { runAlertRound } from '../support/alerts.ts';
import { someId } from '../support/contract.ts';
import { parseMail } from '../support/mail.ts';
import { MailServer } from '../support/mail-server.ts';
import { respondWith, Receiver } from '../support/receiver.ts';
import { createChannel, createHost } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Channel = Schemas['NotificationChannel'];
type Notification = Schemas['Notification'];

let world: World;
let mail: MailServer;
let pushover: Receiver;

beforeAll(async () => {
  mail = new MailServer();
  await mail.start();
  pushover = await Receiver.start(respondWith(200));
  world = await World.create({
    smtpUrl: mail.url,
    pushoverUrl: pushover.url,
    jobIntervals: { chores: { 'begin turns of notifications': 50, 'begin turns of mail': 50 }, pollMs: 200 },
  });
});

afterAll(async () => {
  await world.close();
  await pushover.close();
  await mail.stop();
});

const path = '/api/notifications/channels';
const chatTarget = (url = 'https://chat.example.com/api/webhooks/1/secret-of-the-chat') => ({
  kind: 'chat_webhook',
  url,
});

const create = ({ owner }: Tenant, values: object = {}) =>
  world.call('post', path, owner).send({ name: 'Admins', target: chatTarget(), ...values });
const created = async (own: Tenant, values: object = {}) =>
  (await create(own, values).expect(201)).body as Channel;
const get = async ({ owner }: Tenant, id: string) =>
  (await world.call('get', `${path}/${id}`, owner).expect(200)).body as Channel;
const update = ({ owner }: Tenant, id: string, changes: object) =>
  world.call('patch', `${path}/${id}`, owner).send(changes);
const test = ({ owner }: Tenant, id: string) => world.call('post', `${path}/${id}/test`, owner);

async function logOf({ owner }: Tenant, id: string, query = ''): Promise<Notification[]> {
  const { body } = await world
    .call('get', `${path}/${id}/notifications?limit=100${query}`, owner)
    .expect(200);
  return (body as Schemas['NotificationPage']).data;
}

/** The newest notification of the channel, once it matches. */
const untilNotification = (own: Tenant, id: string, expected: (newest: Notification) => boolean) =>
  until(async () => {
    const [newest] = await logOf(own, id);
    return newest !== undefined && expected(newest) && newest;
  }, 'a notification');

const hasEnded = ({ finished_at }: Notification) => finished_at !== null;

async function receiver(...reply: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const started = await Receiver.start(...reply);
  world.atEnd(() => started.close());
  return started;
}

const hurry = (id: string) =>
  world.database.query(
    `update notification set next_attempt_at = now() where channel_id = $1 and status = 'pending'`,
    [id],
  );

/** Fills the disk of a new host and returns its id once the alert is raised. */
async function raise(own: Tenant, hostname: string): Promise<{ hostId: string; alertId: string }> {
  const hostId = await createHost(world, own, {
    hostname,
    status: 'online',
    agent_version: '999.0.0',
    last_heartbeat_at: new Date(Date.now() + 3_600_000),
    disk_used_bytes: 96,
    disk_total_bytes: 100,
  });
  const [alert] = await until(async () => {
    await runAlertRound(world, own.license.id);
    const found = await world.database.query<{ id: string }>('select id from alert where subject_id = $1', [
      hostId,
    ]);
    return found.length > 0 && found;
  }, 'an alert');
  return { hostId, alertId: alert?.id ?? '' };
}

/** Empties the disk again. */
async function recover(own: Tenant, hostId: string): Promise<void> {
  await world.database.query('update agent_host set disk_used_bytes = 1 where id = $1', [hostId]);
  await until(async () => {
    await runAlertRound(world, own.license.id);
    await world.database.query(
      `update alert set well_since = well_since - interval '6 minutes' where license_id = $1`,
      [own.license.id],
    );
    return (
      await world.database.query(`select from alert where subject_id = $1 and end_reason = 'recovered'`, [
        hostId,
      ])
    ).length;
  }, 'the end of an alert');
}

interface Chat {
  allowed_mentions: { parse: string[] };
  embeds: { title: string; description: string; color: number; timestamp: string }[];
}

const chatOf = ({ received }: Receiver) => received.map(({ text }) => JSON.parse(text) as Chat);

describe('createNotificationChannel', () => {
  it('returns 201 without any secret, and stores none in plain text', async () => {
    const own = await world.createTenant();
    const { body, headers } = await create(own, { least_severity: 'Warning', template: '{{title}}' }).expect(
      201,
    );
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Admins',
      kind: 'chat_webhook',
      destination: 'chat.example.com',
      least_severity: 'Warning',
      template: '{{title}}',
      is_enabled: true,
      last_success_at: null,
      last_error_at: null,
      last_error: null,
      version: 1,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(headers['etag']).toBe('"1"');
    const { id } = body as Channel;
    expect(await get(own, id)).toEqual(body);
    const [row] = await world.database.query<{ row: string; target: Buffer }>(
      'select to_jsonb(c)::text as row, target from notification_channel c where id = $1',
      [id],
    );
    expect(row?.target.toString('latin1')).not.toContain('secret-of-the-chat');
    const exported = await fetch(`${world.url}/api/license/export`, {
      headers: { authorization: `Bearer ${own.owner.token}` },
    }).then((response) => response.text());
    expect(exported).toContain('"table":"notification_channel"');
    for (const secret of ['secret-of-the-chat', row?.target.toString('hex') ?? ''])
      expect(exported).not.toContain(secret);
  });

  it('shows the destination of every kind and hides the secret parts', async () => {
    const own = await world.createTenant();
    const targets = [
      { kind: 'ntfy', server: 'https://ntfy.example.com/', topic: 'topic-of-ours', token: 'tk_1' },
      { kind: 'pushover', token: 'a'.repeat(30), user: 'u'.repeat(30) },
      { kind: 'email', address: own.owner.email.toUpperCase() },
    ];
    const destinations = [];
    for (const target of targets)
      destinations.push((await created(own, { name: target.kind, target })).destination);
    expect(destinations).toEqual(['ntfy.example.com', 'pushover.net', own.owner.email.toUpperCase()]);
  });

  it.each([
    [chatTarget('https://169.254.169.254/'), '/target/url'],
    [chatTarget('https://user:secret@chat.example.com/'), '/target/url'],
    [{ kind: 'ntfy', server: 'https://[::1]/', topic: 'ours' }, '/target/server'],
    [{ kind: 'email', address: 'another-member@example.com' }, '/target/address'],
  ])('returns 400 for %j', async (target, pointer) => {
    const own = await world.createTenant();
    const { body } = await create(own, { target }).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });

  it.each([
    '{{#subject}}x{{/subject}}',
    '{{{subject}}}',
    '{{&subject}}',
    '{{> subject}}',
    '{{password}}',
    '{{subject',
    ' \n ',
    '{{ended_at}} ',
  ])('returns 400 for the template %s', async (template) => {
    const own = await world.createTenant();
    const { body } = await create(own, { template }).expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/template' }] });
  });

  it('returns 409 for a taken name, and beyond 20 channels', async () => {
    const own = await world.createTenant();
    await created(own);
    expect((await create(own).expect(409)).body).toMatchObject({ code: 'name_taken' });
    for (let number = 1; number < 20; number += 1) await createChannel(world, own);
    expect((await create(own, { name: 'Another' }).expect(409)).body).toMatchObject({
      code: 'limit_reached',
    });
  });
});

describe('updateNotificationChannel and deleteNotificationChannel', () => {
  it('returns 200 with the changes, 412 for an outdated version, 204 for the deletion', async () => {
    const own = await world.createTenant();
    const { id } = await created(own);
    const changed = await update(own, id, {
      name: 'Others',
      least_severity: 'Critical',
      target: { kind: 'ntfy', server: 'https://ntfy.example.com', topic: 'ours' },
    }).expect(200);
    expect(changed.body).toMatchObject({
      name: 'Others',
      kind: 'ntfy',
      destination: 'ntfy.example.com',
      least_severity: 'Critical',
      version: 2,
    });
    await update(own, id, { name: 'Late' }).set('If-Match', '"1"').expect(412);
    await update(own, id, { target: chatTarget('https://127.0.0.1.5/') }).expect(400);
    await world.call('delete', `${path}/${id}`, own.owner).set('If-Match', '"1"').expect(412);
    await world.call('delete', `${path}/${id}`, own.owner).set('If-Match', '"2"').expect(204);
    await world.call('get', `${path}/${id}`, own.owner).expect(404);
    await world.call('delete', `${path}/${id}`, own.owner).expect(404);
    await update(own, someId, { name: 'Unknown' }).expect(404);
  });

  it('returns 409 for a taken name', async () => {
    const own = await world.createTenant();
    await created(own);
    const { id } = await created(own, { name: 'Other' });
    expect((await update(own, id, { name: 'Admins' }).expect(409)).body).toMatchObject({
      code: 'name_taken',
    });
  });

  it('returns 400 for enabling a channel without a target', async () => {
    const own = await world.createTenant();
    const id = await createChannel(world, own, { target: null, destination: null, is_enabled: false });
    await update(own, id, { is_enabled: true }).expect(400);
    await test(own, id).expect(400);
    const chat = await receiver();
    await update(own, id, { is_enabled: true, target: chatTarget(chat.url) }).expect(200);
  });

  it('records changes in the audit log, without secrets', async () => {
    const own = await world.createTenant();
    const { id } = await created(own);
    await update(own, id, { target: chatTarget('https://chat.example.com/another-secret') }).expect(200);
    const { text } = await world
      .call('get', '/api/audit?target_type=notification_channel', own.owner)
      .expect(200);
    expect(text).toContain('updateNotificationChannel');
    expect(text).not.toContain('secret-of-the-chat');
    expect(text).not.toContain('another-secret');
  });
});

describe('receivers', () => {
  it('get an alert once and its recovery once, in every subscribed channel', async () => {
    const own = await world.createTenant();
    const [chat, ntfy, uninterested] = [await receiver(), await receiver(), await receiver()];
    const ids = [
      (await created(own, { target: chatTarget(chat.url) })).id,
      (
        await created(own, {
          name: 'Phone',
          target: { kind: 'ntfy', server: ntfy.url, topic: 'ours', token: 'tk_1' },
        })
      ).id,
      (
        await created(own, {
          name: 'Pushover',
          target: { kind: 'pushover', token: 'a'.repeat(30), user: 'u'.repeat(30) },
        })
      ).id,
      (await created(own, { name: 'Mail', target: { kind: 'email', address: own.owner.email } })).id,
    ];
    await created(own, {
      name: 'Critical only',
      target: chatTarget(uninterested.url),
      least_severity: 'Critical',
    });
    const { hostId, alertId } = await raise(own, 'rust-01');
    for (const id of ids) await untilNotification(own, id, hasEnded);
    await recover(own, hostId);
    for (const id of ids)
      await untilNotification(
        own,
        id,
        ({ event, status }) => event === 'recovered' && status === 'succeeded',
      );
    for (const id of ids)
      expect(await logOf(own, id)).toMatchObject([
        { alert_id: alertId, event: 'recovered', status: 'succeeded', attempt_count: 1, detail: null },
        { alert_id: alertId, event: 'raised', status: 'succeeded', attempt_count: 1, detail: null },
      ]);

    expect(chatOf(chat)).toEqual([
      {
        allowed_mentions: { parse: [] },
        embeds: [
          {
            title: 'Warning: The disk of rust\\-01 is nearly full',
            description: expect.stringMatching(
              /^96 % of the disk are used; from 90 % on that is too much\.\nrust/,
            ),
            color: 0xf59e0b,
            timestamp: expect.stringMatching(/Z$/),
          },
        ],
      },
      {
        allowed_mentions: { parse: [] },
        embeds: [
          {
            title: 'Recovered: The disk of rust\\-01 is nearly full',
            description: expect.stringMatching(/^Recovered at /),
            color: 0x16a34a,
            timestamp: expect.stringMatching(/Z$/),
          },
        ],
      },
    ]);
    expect(ntfy.received.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer tk_1',
      'Bearer tk_1',
    ]);
    expect(ntfy.received.map(({ text }) => JSON.parse(text) as object)).toMatchObject([
      { topic: 'ours', title: 'Warning: The disk of rust-01 is nearly full', priority: 3 },
      { topic: 'ours', title: 'Recovered: The disk of rust-01 is nearly full', priority: 2 },
    ]);
    const form = new URLSearchParams(pushover.received.at(-2)?.text);
    expect(Object.fromEntries(form)).toMatchObject({
      token: 'a'.repeat(30),
      user: 'u'.repeat(30),
      title: 'Warning: The disk of rust-01 is nearly full',
      priority: '0',
    });
    const mails = mail.messages.map(parseMail).filter(({ to }) => to === own.owner.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Warning: The disk of rust-01 is nearly full',
      'Recovered: The disk of rust-01 is nearly full',
    ]);
    expect(uninterested.received).toEqual([]);
    const channel = await get(own, ids[0] ?? '');
    expect(channel).toMatchObject({ last_success_at: expect.any(String), last_error: null });
  });

  it('get names as plain text only', async () => {
    const own = await world.createTenant({ name: '[free](https://evil.example)' });
    const chat = await receiver();
    const { id } = await created(own, {
      target: chatTarget(chat.url),
      template: '{{subject}}|{{license}}|{{severity}}',
    });
    await raise(own, '@everyone <@123> **x** https://evil.example/');
    await untilNotification(own, id, hasEnded);
    const [message] = chatOf(chat);
    expect(message?.embeds[0]?.description).toBe(
      [
        '\\@\u200beveryone \\<\\@\u200b123\\> \\*\\*x\\*\\* https\\:\\/\\/evil\\.example\\/',
        '\\[free\\]\\(https\\:\\/\\/evil\\.example\\)',
        'Warning',
      ].join('|'),
    );
  });
});

describe('a failing receiver', () => {
  it('is retried when its Retry-After is over, while others are notified in time', async () => {
    const own = await world.createTenant();
    const busy = await receiver(respondWith(429, { 'retry-after': '2' }));
    const well = await receiver();
    const { id } = await created(own, { target: chatTarget(busy.url) });
    const other = await created(own, { name: 'Other', target: chatTarget(well.url) });
    await raise(own, 'host');
    await untilNotification(own, other.id, hasEnded);
    const waiting = await untilNotification(own, id, ({ attempt_count }) => attempt_count > 0);
    expect(waiting).toMatchObject({ status: 'pending', detail: 'The receiver responded with status 429.' });
    const wait = Date.parse(waiting.next_attempt_at ?? '') - Date.parse(waiting.last_attempt_at ?? '');
    expect(wait).toBeGreaterThanOrEqual(2_000);
    expect(wait).toBeLessThan(10_000);
    expect(await get(own, id)).toMatchObject({
      last_error: 'The receiver responded with status 429.',
      last_success_at: null,
    });
    busy.respond = respondWith(204);
    expect(await untilNotification(own, id, hasEnded)).toMatchObject({ status: 'succeeded' });
    const keys = busy.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([waiting.id]));
    expect(well.received).toHaveLength(1);
  });

  it('is retried at growing intervals, gets later notifications in order, and is abandoned at last', async () => {
    const own = await world.createTenant();
    const broken = await receiver(respondWith(500));
    const { id } = await created(own, { target: chatTarget(broken.url) });
    const { hostId } = await raise(own, 'host');
    const waits = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const tried = await until(
        async () =>
          (await logOf(own, id)).find((one) => one.event === 'raised' && one.attempt_count === attempt),
        `attempt ${attempt}`,
      );
      waits.push(
        tried.next_attempt_at === null
          ? null
          : Math.round(
              (Date.parse(tried.next_attempt_at) - Date.parse(tried.last_attempt_at ?? '')) / 10_000,
            ) * 10,
      );
      if (attempt === 2) await recover(own, hostId);
      await hurry(id);
    }
    expect(waits).toEqual([10, 60, 300, 900, 1_800, null]);
    const raised = (await logOf(own, id)).find(({ event }) => event === 'raised');
    expect(raised).toMatchObject({ status: 'failed', attempt_count: 6, finished_at: expect.any(String) });
    broken.respond = respondWith(204);
    await until(async () => {
      await hurry(id);
      return (await logOf(own, id))[0]?.status === 'succeeded';
    }, 'the recovery');
    const titles = chatOf(broken).map(({ embeds }) => embeds[0]?.title.split(':')[0]);
    expect(titles.lastIndexOf('Warning')).toBeLessThan(titles.indexOf('Recovered'));
  });

  it('is not retried after a rejection, nor for a notification that is hours old', async () => {
    const own = await world.createTenant();
    const gone = await receiver(respondWith(404));
    const { id } = await created(own, { target: chatTarget(gone.url) });
    await raise(own, 'one');
    expect(await untilNotification(own, id, hasEnded)).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      detail: 'The receiver responded with status 404.',
    });
    gone.respond = respondWith(500);
    await raise(own, 'two');
    await untilNotification(
      own,
      id,
      ({ attempt_count, status }) => attempt_count === 1 && status === 'pending',
    );
    await world.database.query(
      `update notification set created_at = now() - interval '7 hours' where channel_id = $1`,
      [id],
    );
    await hurry(id);
    expect(await untilNotification(own, id, hasEnded)).toMatchObject({
      status: 'failed',
      detail: 'The notification could not be sent for 6 hours.',
    });
    expect(gone.received).toHaveLength(2);
  });

  it('gets waiting notifications at once at its new address, and is not abandoned for failures of the old one', async () => {
    const own = await world.createTenant();
    const [broken, well] = [await receiver(respondWith(500)), await receiver()];
    const { id } = await created(own, { target: chatTarget(broken.url) });
    await raise(own, 'host');
    await untilNotification(own, id, ({ attempt_count }) => attempt_count === 1);
    await world.database.query(
      `update notification set failure_count = 5, next_attempt_at = now() + interval '1 hour' where channel_id = $1`,
      [id],
    );
    const failures = async () => {
      const [row] = await world.database.query<{ count: number }>(
        'select failure_count as count from notification where channel_id = $1',
        [id],
      );
      return row?.count;
    };
    await update(own, id, { name: 'Others' }).expect(200);
    expect(await failures()).toBe(5);
    broken.respond = respondWith(204);
    well.respond = respondWith(500);
    await update(own, id, { target: chatTarget(well.url) }).expect(200);
    await untilNotification(own, id, ({ attempt_count }) => attempt_count === 2);
    expect(await failures()).toBe(1);
    expect(await untilNotification(own, id, () => true)).toMatchObject({ status: 'pending' });
    expect([broken.received.length, well.received.length]).toEqual([1, 1]);
  });

  it('whose target was encrypted with another key is reported as such, and works once the target is entered again', async () => {
    const own = await world.createTenant();
    const chat = await receiver();
    const { id } = await created(own, { target: chatTarget(chat.url) });
    await world.database.query(`update notification_channel set target = 'sealed' where id = $1`, [id]);
    await raise(own, 'host');
    const detail = expect.stringContaining('Enter the target again.') as unknown;
    expect(await untilNotification(own, id, ({ attempt_count }) => attempt_count === 1)).toMatchObject({
      status: 'pending',
      detail,
    });
    expect(await get(own, id)).toMatchObject({ last_error: detail });
    await update(own, id, { target: chatTarget(chat.url) }).expect(200);
    await untilNotification(own, id, ({ status }) => status === 'succeeded');
    expect(chat.received).toHaveLength(1);
  });

  it('that never responds delays no other receiver', async () => {
    const own = await world.createTenant();
    const silent = await receiver(() => undefined);
    const well = await receiver();
    const { id } = await created(own, { target: chatTarget(silent.url) });
    await created(own, { name: 'Other', target: chatTarget(well.url) });
    await raise(own, 'host');
    await well.next();
    expect(await untilNotification(own, id, ({ attempt_count }) => attempt_count > 0)).toMatchObject({
      status: 'pending',
      detail: 'No complete response arrived in time.',
    });
  });

  it('can be a mail server that is down or that rejects messages', async () => {
    const own = await world.createTenant();
    const { id } = await created(own, { target: { kind: 'email', address: own.owner.email } });
    await mail.stop();
    try {
      await raise(own, 'host');
      expect(await untilNotification(own, id, ({ attempt_count }) => attempt_count > 0)).toMatchObject({
        status: 'pending',
        detail: 'The mail server could not be reached.',
      });
    } finally {
      await mail.start();
    }
    await hurry(id);
    expect(await untilNotification(own, id, hasEnded)).toMatchObject({ status: 'succeeded' });
    mail.refusal = 550;
    try {
      await test(own, id).expect(202);
      expect(await untilNotification(own, id, hasEnded)).toMatchObject({
        event: 'test',
        status: 'failed',
        detail: 'The mail server refused the message.',
      });
    } finally {
      mail.refusal = undefined;
    }
  });

  it('can be a member who has left the team', async () => {
    const own = await world.createTenant();
    const admin = await world.addMember(own, 'Head Admin');
    const { id } = await created(own, { target: { kind: 'email', address: admin.email } });
    await world.database.query(
      'delete from membership where user_id = (select id from user_account where email = $1)',
      [admin.email],
    );
    await raise(own, 'host');
    expect(await untilNotification(own, id, hasEnded)).toMatchObject({ status: 'failed', attempt_count: 1 });
    expect(mail.messages.map(parseMail).filter(({ to }) => to === admin.email)).toEqual([]);
  });
});

describe('testNotificationChannel', () => {
  it('returns 202 and delivers at once, also while the channel is disabled, with one attempt', async () => {
    const own = await world.createTenant();
    const chat = await receiver();
    const { id } = await created(own, { target: chatTarget(chat.url), is_enabled: false });
    const { body } = await test(own, id).expect(202);
    expect(body).toMatchObject({ event: 'test', alert_id: null, status: 'pending', attempt_count: 0 });
    expect(await untilNotification(own, id, hasEnded)).toMatchObject({ status: 'succeeded' });
    expect(chatOf(chat)[0]?.embeds[0]).toMatchObject({
      title: 'Test of Admins',
      description: 'This is a test. Alerts will be sent here.',
    });
    chat.respond = respondWith(500);
    await test(own, id).expect(202);
    expect(await untilNotification(own, id, hasEnded)).toMatchObject({ status: 'failed', attempt_count: 1 });
    expect(await get(own, id)).toMatchObject({ last_error: 'The receiver responded with status 500.' });
  });

  it('returns 409 while five of them wait, and 404 for an unknown channel', async () => {
    const own = await world.createTenant();
    const silent = await receiver(() => undefined);
    const { id } = await created(own, { target: chatTarget(silent.url) });
    for (let number = 0; number < 5; number += 1) await test(own, id).expect(202);
    expect((await test(own, id).expect(409)).body).toMatchObject({ code: 'limit_reached' });
    await test(own, someId).expect(404);
    await world.call('get', `${path}/${someId}/notifications`, own.owner).expect(404);
  });
});

describe('a disabled channel', () => {
  it('gets nothing, then and later, and its waiting notifications are cancelled', async () => {
    const own = await world.createTenant();
    const chat = await receiver(respondWith(500));
    const { id } = await created(own, { target: chatTarget(chat.url) });
    const first = await raise(own, 'one');
    await untilNotification(own, id, ({ attempt_count }) => attempt_count > 0);
    expect((await update(own, id, { is_enabled: false }).expect(200)).body).toMatchObject({
      is_enabled: false,
    });
    expect(await logOf(own, id)).toMatchObject([
      { status: 'cancelled', detail: 'The channel was disabled.' },
    ]);
    await raise(own, 'two');
    await update(own, id, { is_enabled: true }).expect(200);
    await recover(own, first.hostId);
    expect(await logOf(own, id)).toHaveLength(1);
    expect(await logOf(own, id, '&status=pending')).toEqual([]);
  });
});
