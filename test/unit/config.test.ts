// The settings: their defaults, and errors of one line that name the setting and contain no secret.
import { readConfig } from '../../src/config/index.ts';
import { ConfigError } from '../../src/process/environment.ts';

const secret = 'a secret of the tests that is long enough';

function faultOf(env: Record<string, string | undefined>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'taken';
}

it('without any setting everything is embedded, on this machine only', () => {
  expect(readConfig({ HOME: '/home/me' })).toEqual({
    environment: 'development',
    host: '127.0.0.1',
    port: 3000,
    health: undefined,
    publicUrl: undefined,
    panelUrl: undefined,
    dataDir: expect.stringMatching(/\.gantry$/),
    cacheDir: '/home/me/.cache/gantry',
    databaseUrl: undefined,
    nats: {
      url: undefined,
      publicUrls: undefined,
      keysFile: undefined,
      serverBin: undefined,
      prefix: 'gantry',
    },
    jwtSecret: undefined,
    encryptionSecret: undefined,
    mail: { smtpUrl: undefined, from: 'Gantry <gantry@localhost>' },
    storage: { directory: expect.stringMatching(/\.gantry\/storage$/) },
    agentReleaseDirectory: expect.stringMatching(/\/dist\/agent$/),
    archiveMonths: 0,
    bootstrap: undefined,
    corsOrigins: [],
    outbound: { allow: [], deny: [], allowsHttp: false },
    payments: {
      account: undefined,
      allowsSandbox: true,
      price: { amount: '9.99', currency: 'USD' },
      stripeUrl: 'https://api.stripe.com',
      trialDays: 14,
    },
    trustProxy: 0,
    rateLimitFactor: 1,
    passwordHashesAtOnce: 2,
    stopSeconds: 25,
    drainSeconds: 0,
    roles: new Set(['api', 'ingest', 'jobs']),
    sandboxes: { isEnabled: true, maxCount: 200 },
    heartbeatIntervalSeconds: 10,
    logLevel: 'info',
  });
});

it('every setting is applied', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    PORT: ' 8080 ',
    GANTRY_HEALTH_PORT: '9100',
    GANTRY_PUBLIC_URL: 'https://panel.example.com/',
    GANTRY_PANEL_URL: 'https://admin.example.com/start',
    GANTRY_STRIPE_URL: 'https://stripe.example.com',
    GANTRY_STRIPE_SECRET_KEY: 'sk_1',
    GANTRY_STRIPE_WEBHOOK_SECRET: 'whsec_1',
    GANTRY_SANDBOX_PAYMENTS: 'true',
    GANTRY_WEBSTORE_PRICE: '12.50 EUR',
    GANTRY_WEBSTORE_TRIAL_DAYS: '7',
    GANTRY_DATA_DIR: '/data',
    XDG_CACHE_HOME: '/cache',
    DATABASE_URL: 'postgres://gantry:pw@db/gantry',
    NATS_URL: 'nats://a:4222,nats://b:4222',
    GANTRY_NATS_PUBLIC_URLS: 'tls://bus.example.com:4222, wss://bus.example.com',
    GANTRY_NATS_KEYS: '/keys.json',
    NATS_SERVER_BIN: '/usr/sbin/nats-server',
    GANTRY_BUS_PREFIX: 'gantry-eu',
    GANTRY_AGENT_RELEASE_DIR: '/agent',
    GANTRY_ARCHIVE_MONTHS: '24',
    GANTRY_JWT_SECRET: secret,
    GANTRY_SEALING_SECRET: `${secret}, another`,
    SMTP_URL: 'smtps://user:pw@mail.example.com',
    GANTRY_MAIL_FROM: 'Our Gantry <gantry@example.com>',
    S3_ENDPOINT: 'https://objects.example.com',
    S3_BUCKET: 'gantry.maps',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'an id',
    S3_SECRET_ACCESS_KEY: 'pa55word',
    S3_FORCE_PATH_STYLE: 'true',
    GANTRY_BOOTSTRAP_EMAIL: 'Owner@Example.com',
    GANTRY_BOOTSTRAP_PASSWORD: ' correct-horse-battery ',
    GANTRY_CORS_ORIGINS: 'https://panel.example.com, http://localhost:5173',
    GANTRY_OUTBOUND_ALLOW: '10.0.0.0/8, fd00::1',
    GANTRY_OUTBOUND_DENY: '5.6.7.8, 2001:470::/32',
    GANTRY_OUTBOUND_HTTP: 'true',
    GANTRY_TRUST_PROXY: 'loopback, 10.0.0.0/8, fd00::1',
    GANTRY_RATE_LIMIT_FACTOR: '2.5',
    GANTRY_PASSWORD_HASHES_AT_ONCE: '4',
    GANTRY_ROLES: 'api, jobs',
    GANTRY_SANDBOXES: 'true',
    GANTRY_MAX_SANDBOXES: '50',
    GANTRY_HEARTBEAT_SECONDS: '0.5',
    GANTRY_STOP_SECONDS: '60',
    GANTRY_DRAIN_SECONDS: '30',
    LOG_LEVEL: 'warn',
  });
  expect(config).toEqual({
    environment: 'production',
    host: '0.0.0.0',
    port: 8080,
    health: { port: 9100, canMove: false },
    publicUrl: 'https://panel.example.com',
    panelUrl: 'https://admin.example.com/start',
    payments: {
      account: { secretKey: 'sk_1', webhookSecret: 'whsec_1' },
      allowsSandbox: true,
      price: { amount: '12.50', currency: 'EUR' },
      stripeUrl: 'https://stripe.example.com',
      trialDays: 7,
    },
    dataDir: '/data',
    cacheDir: '/cache/gantry',
    databaseUrl: 'postgres://gantry:pw@db/gantry',
    nats: {
      url: 'nats://a:4222,nats://b:4222',
      publicUrls: ['tls://bus.example.com:4222', 'wss://bus.example.com'],
      keysFile: '/keys.json',
      serverBin: '/usr/sbin/nats-server',
      prefix: 'gantry-eu',
    },
    jwtSecret: secret,
    encryptionSecret: `${secret}, another`,
    mail: {
      smtpUrl: 'smtps://user:pw@mail.example.com',
      from: 'Our Gantry <gantry@example.com>',
    },
    storage: {
      s3: {
        endpoint: 'https://objects.example.com',
        bucket: 'gantry.maps',
        region: 'eu-central-1',
        accessKeyId: 'an id',
        secretAccessKey: 'pa55word',
        forcePathStyle: true,
      },
    },
    agentReleaseDirectory: '/agent',
    archiveMonths: 24,
    bootstrap: { email: 'owner@example.com', password: ' correct-horse-battery ' },
    corsOrigins: ['https://panel.example.com', 'http://localhost:5173'],
    outbound: { allow: ['10.0.0.0/8', 'fd00::1'], deny: ['5.6.7.8', '2001:470::/32'], allowsHttp: true },
    trustProxy: ['loopback', '10.0.0.0/8', 'fd00::1'],
    rateLimitFactor: 2.5,
    passwordHashesAtOnce: 4,
    stopSeconds: 60,
    drainSeconds: 30,
    roles: new Set(['api', 'jobs']),
    sandboxes: { isEnabled: true, maxCount: 50 },
    heartbeatIntervalSeconds: 0.5,
    logLevel: 'warn',
  });
});

it('an empty setting counts as unset', () => {
  const names = [
    'PORT',
    'HOST',
    'DATABASE_URL',
    'NATS_URL',
    'GANTRY_ROLES',
    'GANTRY_JWT_SECRET',
    'LOG_LEVEL',
    'NODE_ENV',
  ];
  const empty = Object.fromEntries(names.map((name) => [name, ' ']));
  expect(readConfig({ HOME: '/h', ...empty })).toEqual(readConfig({ HOME: '/h' }));
});

it('a process without the API has a health port of its own, which must not conflict', () => {
  const healthOf = (roles: string) =>
    readConfig({ GANTRY_ROLES: roles, GANTRY_PUBLIC_URL: 'https://panel.example.com' }).health;
  expect(healthOf('ingest')).toEqual({ port: 3001, canMove: true });
  expect(healthOf('jobs')).toEqual({ port: 3002, canMove: true });
  expect(healthOf('jobs,ingest')).toEqual({ port: 3001, canMove: true });
  expect(healthOf('api,jobs')).toBeUndefined();
});

const wrong: Record<string, string[]> = {
  NODE_ENV: ['prod', 'Production'],
  PORT: ['abc', '-1', '65536', '80.5', '0x1F90z', 'NaN', '1e9', '3000\nHOST=x'],
  GANTRY_HEALTH_PORT: ['abc', '-1', '65536', '80.5', 'off'],
  GANTRY_PUBLIC_URL: ['panel.example.com', 'ftp://panel.example.com', 'javascript:alert(1)'],
  DATABASE_URL: ['mysql://user:pa55word@db/x', 'user:pa55word@db', 'pa55word'],
  NATS_URL: ['http://user:pa55word@bus', 'pa55word', 'nats://a:1,pa55word', 'nats://a:1,', 'nats:a'],
  GANTRY_NATS_PUBLIC_URLS: [
    'bus.example.com',
    'nats://a:1,',
    'http://a',
    'nats://',
    'nats:a',
    'nats:///a',
    'tls://a:99999',
    'nats://user:pa55word@a',
    'wss://pa55word@a',
  ],
  GANTRY_BUS_PREFIX: ['a.b', '*', '>', 'A', 'x'.repeat(33), 'a b'],
  GANTRY_JWT_SECRET: ['pa55word', 'x'.repeat(31)],
  GANTRY_SEALING_SECRET: ['pa55word', 'x'.repeat(31)],
  SMTP_URL: ['http://user:pa55word@mail', 'pa55word', 'mail:25'],
  GANTRY_MAIL_FROM: ['gantry', 'a@b <c>', 'A <a@b>\nBcc: <c@d>', '<a@b>', 'A <a@b> B', 'a@b, c@d'],
  GANTRY_CORS_ORIGINS: [
    '*',
    'panel.example.com',
    'https://panel.example.com/',
    'https://a,',
    'null',
    'ws://a',
  ],
  GANTRY_OUTBOUND_ALLOW: ['private', '10.0.0.0/33', '10.0.0.0/8,', 'receiver.example.com'],
  GANTRY_OUTBOUND_DENY: ['own', '1.2.3.0/33', '1.2.3.4,', 'panel.example.com'],
  GANTRY_OUTBOUND_HTTP: ['yes', '1'],
  GANTRY_TRUST_PROXY: ['true', '-1', '100', 'proxy.example.com', '10.0.0.0/99', '1,', '1,2', '300.0.0.1'],
  GANTRY_RATE_LIMIT_FACTOR: ['0', 'off', '1001'],
  GANTRY_DRAIN_SECONDS: ['-1', '0.5', '13'],
  GANTRY_PASSWORD_HASHES_AT_ONCE: ['0', '65', '1.5', 'all'],
  GANTRY_ROLES: ['api,web', 'API', 'api,', 'api\njobs'],
  GANTRY_HEARTBEAT_SECONDS: ['0', '301', 'ten', '-5'],
  LOG_LEVEL: ['verbose', 'INFO', 'info\nx'],
};

describe.each(Object.entries(wrong))('a wrong %s', (name, values) => {
  it.each(values)('(%j) is rejected in one line that names it and contains no secret', (value) => {
    const fault = faultOf({ GANTRY_JWT_SECRET: secret, [name]: value });
    expect(fault).toContain(name);
    expect(fault).not.toContain('\n');
    expect(fault).not.toContain('pa55word');
    expect(fault).not.toContain(secret);
  });
});

describe('settings of S3', () => {
  const whole = { S3_BUCKET: 'maps', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'pa55word' };

  it.each([
    ['S3_BUCKET', ['', 'A', 'a', 'a/b', 'a b', 'x'.repeat(64)]],
    ['S3_ENDPOINT', ['objects.example.com', 'ftp://objects', 's3://bucket', 'user:pa55word@objects']],
    ['S3_REGION', ['eu central', 'EU', 'x'.repeat(65)]],
    ['S3_ACCESS_KEY_ID', ['']],
    ['S3_SECRET_ACCESS_KEY', ['']],
    ['S3_FORCE_PATH_STYLE', ['yes', '1', 'TRUE']],
    ['GANTRY_STORAGE_DIR', ['/maps']],
  ])('a wrong or missing %s is rejected in one line that names it', (name, values) => {
    expect(faultOf(whole)).toBe('taken');
    for (const value of values) {
      const fault = faultOf({ ...whole, [name]: value });
      expect(fault).toMatch(new RegExp(`^${name} [^\\n]+$`));
      expect(fault).not.toContain('pa55word');
    }
  });
});

it('a DATABASE_URL may name several hosts, of which the platform needs the primary', () => {
  const faultOfUrl = (DATABASE_URL: string) => faultOf({ DATABASE_URL, GANTRY_JWT_SECRET: secret });
  for (const url of [
    'postgres://user:pa55word@a:5432,b:5432/gantry',
    'postgres://a,[::1]:5433/gantry',
    'postgresql://user@a,b:5433/gantry?target_session_attrs=read-write',
    'postgresql://a/gantry?sslmode=verify-full&target_session_attrs=primary',
    'postgres://user:a,b@db/gantry',
    'postgres://db/gantry?options=-c%20search_path=a,b',
  ])
    expect(faultOfUrl(url)).toBe('taken');
  for (const [url, fault] of [
    ['postgres:///gantry?host=a,b', /^DATABASE_URL must name several hosts as in postgres:[^\n]+$/],
    ['postgres://user:pa55word@/gantry?host=a%2Cb', /^DATABASE_URL must name several hosts as in [^\n]+$/],
    ['postgres:///gantry?host=a&host=b', /^DATABASE_URL must name several hosts as in [^\n]+$/],
    ['postgres://a,/gantry', /^DATABASE_URL has an entry without a host$/],
    ['postgres://a,b:port/gantry', /^DATABASE_URL must be a URL [^\n]+$/],
    ['postgres://a,b/gantry?target_session_attrs=standby', /^DATABASE_URL takes [^\n]+ a primary$/],
  ] as const)
    expect(faultOfUrl(url)).toMatch(fault);
});

it('a replica needs a database beside it, and a bound that public pages can keep', () => {
  const primary = { DATABASE_URL: 'postgres://a/gantry', GANTRY_JWT_SECRET: secret };
  const replica = { DATABASE_REPLICA_URL: 'postgres://b,c/gantry?target_session_attrs=prefer-standby' };
  expect(faultOf({ ...primary, ...replica, GANTRY_REPLICA_MAX_LAG_SECONDS: '4' })).toBe('taken');
  expect(faultOf(replica)).toMatch(/^DATABASE_URL is required [^\n]+$/);
  for (const [values, fault] of [
    [{ GANTRY_REPLICA_MAX_LAG_SECONDS: '5' }, /^GANTRY_REPLICA_MAX_LAG_SECONDS must [^\n]+$/],
    [{ DATABASE_REPLICA_URL: 'http://b/gantry' }, /^DATABASE_REPLICA_URL must be a URL [^\n]+$/],
    [
      { DATABASE_REPLICA_URL: 'postgres://b/gantry?target_session_attrs=read-write' },
      /^DATABASE_REPLICA_URL takes [^\n]+ a standby$/,
    ],
  ] as const)
    expect(faultOf({ ...primary, ...replica, ...values })).toMatch(fault);
});

describe('settings that depend on each other', () => {
  const shared = { DATABASE_URL: 'postgres://db/x', GANTRY_JWT_SECRET: secret };
  const divided = { ...shared, GANTRY_PUBLIC_URL: 'https://panel.example.com' };

  it('jobs without the API need the public URL for links', () => {
    for (const GANTRY_ROLES of ['jobs', 'jobs,ingest'])
      expect(faultOf({ ...shared, GANTRY_ROLES, GANTRY_STORAGE_DIR: '/maps' })).toMatch(
        /^GANTRY_PUBLIC_URL is required [^\n]+$/,
      );
    expect(faultOf({ ...divided, GANTRY_ROLES: 'jobs', GANTRY_STORAGE_DIR: '/maps' })).toBe('taken');
  });

  it('separate roles need shared storage', () => {
    for (const GANTRY_ROLES of ['api', 'jobs', 'api,ingest', 'api,jobs', 'ingest,jobs']) {
      expect(faultOf({ ...divided, GANTRY_ROLES })).toMatch(
        /^GANTRY_STORAGE_DIR or S3_BUCKET is required [^\n]+$/,
      );
      expect(faultOf({ ...divided, GANTRY_ROLES, GANTRY_STORAGE_DIR: '/maps' })).toBe('taken');
      const bucket = { S3_BUCKET: 'maps', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'pa55word' };
      expect(faultOf({ ...divided, GANTRY_ROLES, ...bucket })).toBe('taken');
    }
    expect(faultOf({ ...divided, GANTRY_ROLES: 'ingest' })).toBe('taken');
    expect(faultOf(shared)).toBe('taken');
  });

  it.each([
    ['a database without a secret', { DATABASE_URL: 'postgres://db/x' }, 'GANTRY_JWT_SECRET'],
    ['a mail server without a sender', { SMTP_URL: 'smtp://u:pa55word@mail' }, 'GANTRY_MAIL_FROM'],
    [
      'a first user without a password',
      { GANTRY_BOOTSTRAP_EMAIL: 'a@example.com' },
      'GANTRY_BOOTSTRAP_PASSWORD',
    ],
    [
      'a first user without an address',
      { GANTRY_BOOTSTRAP_PASSWORD: 'pa55word pa55word' },
      'GANTRY_BOOTSTRAP_EMAIL',
    ],
    [
      'a first user whose address is none',
      { GANTRY_BOOTSTRAP_EMAIL: 'a', GANTRY_BOOTSTRAP_PASSWORD: 'pa55word pa55word' },
      'GANTRY_BOOTSTRAP_EMAIL',
    ],
    [
      'a first user whose password is short',
      { GANTRY_BOOTSTRAP_EMAIL: 'a@example.com', GANTRY_BOOTSTRAP_PASSWORD: 'pa55word' },
      'GANTRY_BOOTSTRAP_PASSWORD',
    ],
  ])('%s is rejected, and the missing one named', (_what, env, name) => {
    const fault = faultOf(env);
    expect(fault).toContain(name);
    expect(fault).not.toContain('\n');
    expect(fault).not.toContain('pa55word');
  });
});
