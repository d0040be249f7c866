// External services that accept connections and never reply: every request to them ends within its limit.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { createMailer } from '../../src/mail/mailer.ts';
import { Outbound } from '../../src/outbound/outbound.ts';
import { defaultPayments } from '../../src/payments/settings.ts';
import { StripePayments } from '../../src/payments/stripe.ts';
import { SubscriptionProvider } from '../../src/payments/subscription-provider.ts';
import { send } from '../../src/services/notifications/sending.ts';
import { attempt } from '../../src/services/webhooks/attempts.ts';
import { WebhookSecrets } from '../../src/services/webhooks/secrets.ts';
import { S3Storage } from '../../src/storage/s3-storage.ts';

const log = pino({ level: 'silent' });
/** How much longer than a limit a busy machine may take. */
const marginMs = 10_000;
const secret = 'a secret of the tests that is long enough';
const orderId = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01';

interface Call {
  /** The documented limit. */
  limitMs: number;
  run: (port: number) => Promise<unknown>;
  /** Its outcome as a text: an error's message or a recorded outcome. */
  ending: RegExp;
}

const outbound = new Outbound({ allow: ['127.0.0.0/8'], allowsHttp: true }, () => undefined);
const url = (port: number) => `http://127.0.0.1:${port}`;
const mail = { id: 'a@example.com', to: 'b@example.com', subject: 'A', text: 'B', html: 'B' };

const calls: Record<string, Call> = {
  'a webhook': {
    limitMs: 5_000,
    run: (port) =>
      attempt(
        outbound,
        { url: url(port), secrets: [new WebhookSecrets(secret).create(orderId).secret] },
        {
          id: orderId,
          event: 'host.offline',
          body: '{}',
          attempt_count: 0,
          recent_failures: 0,
          queued_at: new Date().toISOString(),
        },
      ).then(({ outcome }) => outcome),
    ending: /timeout|timed_out|too_late|failed/,
  },
  'a notification': {
    limitMs: 5_000,
    run: (port) =>
      send(
        { kind: 'chat_webhook', url: url(port) },
        { title: 'A', text: 'B', event: 'test', severity: 'Info', at: new Date().toISOString() },
        { id: orderId, channelName: 'Admins' },
        { outbound, mailer: { send: () => Promise.resolve(), close: () => undefined }, publicUrl: () => '' },
      ).then(({ kind }) => kind),
    ending: /^failed$/,
  },
  'a checkout': {
    limitMs: 30_000,
    run: (port) =>
      new StripePayments(url(port)).openCheckout(
        {
          orderId,
          licenseId: orderId,
          currency: 'USD',
          lines: [{ name: 'A', unitMinor: 100, quantity: 1 }],
          expiresAt: new Date(Date.now() + 3_600_000),
          attempt: 0,
          returnUrl: 'https://example.com',
        },
        'sk_test_1',
      ),
    ending: /timeout|timed out|retried|connection/i,
  },
  'a subscription': {
    limitMs: 30_000,
    run: (port) =>
      new SubscriptionProvider({
        ...defaultPayments,
        stripeUrl: url(port),
        account: { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' },
      }).open({
        subscriptionId: orderId,
        licenseId: orderId,
        trialDays: 0,
        returnUrl: 'https://example.com',
      }),
    ending: /timeout|timed out|retried|connection/i,
  },
  'a message by mail': {
    limitMs: 20_000,
    run: (port) =>
      createMailer(
        { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'gantry@example.com', directory: '' },
        log,
      ).send(mail),
    ending: /greeting|timeout|did not take/i,
  },
  'a file in a bucket': {
    limitMs: 30_000,
    run: (port) =>
      new S3Storage({
        endpoint: url(port),
        bucket: 'maps',
        region: 'us-east-1',
        accessKeyId: 'a',
        secretAccessKey: 'b',
        forcePathStyle: true,
      }).remove(`maps/${orderId}`),
    ending: /./,
  },
};

const sockets = new Set<Socket>();
let server: Server;
/** All of them at the same time, so that together they take as long as the slowest. */
let results: Map<string, Promise<{ tookMs: number; ending: string }>>;

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  results = new Map(
    Object.entries(calls).map(([name, { run }]) => {
      const begun = performance.now();
      const ending = run(port).then(String, (error: unknown) =>
        Error.isError(error) ? error.message || error.name : String(error),
      );
      return [name, ending.then((text) => ({ tookMs: performance.now() - begun, ending: text }))];
    }),
  );
});

afterAll(async () => {
  await outbound.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it.each(Object.entries(calls))('%s ends within its limit', async (name, { limitMs, ending }) => {
  const result = await results.get(name);
  expect(result?.ending).toMatch(ending);
  // It was sent, and not rejected for another reason.
  expect(result?.tookMs).toBeGreaterThan(1_000);
  expect(result?.tookMs).toBeLessThan(limitMs + marginMs);
});
