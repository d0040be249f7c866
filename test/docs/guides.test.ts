// The guides of docs/, run as they stand.
import { runGuide } from '../support/guide.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { adminEmail, password, World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create();
});

afterAll(async () => {
  await world.close();
});

it('docs/first-server.md leads from signing in to a server that starts, prints and stops', async () => {
  const run = await runGuide('docs/first-server.md', {
    GANTRY: world.url,
    EMAIL: adminEmail,
    PASSWORD: password,
  });
  expect(run).toEqual({
    status: 0,
    output: expect.stringMatching(
      /succeeded[\s\S]*Server startup complete[\s\S]*\nplayers : \d+ \(100 max\)[\s\S]*succeeded\n$/,
    ),
    processes: [],
  });
}, 60_000);

it('docs/team-and-keys.md leads from an invitation to a key, and back', async () => {
  const { owner } = await world.createTenant({ name: 'The guide' });
  const run = await runGuide('docs/team-and-keys.md', {
    GANTRY: world.url,
    EMAIL: owner.email,
    PASSWORD: password,
    MAIL: world.mailDirectory,
  });
  expect(run).toMatchObject({ status: 0, processes: [] });
  expect(run.output).toMatch(
    /Night watch\n\{"data":\[\].*\}.*commands\.view.*\ninstances\.\*\nunauthorized\n/s,
  );
  expect(run.output).toContain('watch@example.com');
}, 60_000);

it('docs/alerts.md leads from the rules to a channel that was tried, and to a template', async () => {
  const { owner } = await world.createTenant();
  const run = await runGuide('docs/alerts.md', { GANTRY: world.url, EMAIL: owner.email, PASSWORD: password });
  expect(run).toEqual({
    status: 0,
    output: expect.stringMatching(/^50\n60\n0\npending\nsucceeded\n2\nvalidation_failed\n$/),
    processes: [],
  });
  expect((await world.mailTo(owner.email)).subject).toBe('Test of Owner');
}, 60_000);

it('docs/migration.md brings what one license has configured into another, once, and nothing damaged', async () => {
  const [from, to] = [await world.createTenant(), await world.createTenant()];
  const run = await runGuide('docs/migration.md', {
    GANTRY: world.url,
    EMAIL: from.owner.email,
    TO_EMAIL: to.owner.email,
    PASSWORD: password,
  });
  expect(run).toEqual({
    status: 0,
    output: [
      'EU islands',
      'Night watch',
      'Night watch',
      'alert_config 0 0 0 0',
      'backup_policies 0 0 0 0',
      'clusters 1 0 0 0',
      'instances 0 0 0 0',
      'notification_channels 0 0 0 0',
      'plugin_configs 0 0 0 0',
      'roles 1 0 0 0',
      'schedules 0 0 0 0',
      'site_config 0 0 0 0',
      'site_listings 0 0 0 0',
      'store_categories 0 0 0 0',
      'store_config 0 0 0 0',
      'store_items 0 0 0 0',
      'webhooks 0 0 0 0',
      '0',
      'created',
      'unchanged',
      'checksum_mismatch',
      '',
    ].join('\n'),
    processes: [],
  });
}, 60_000);

it('docs/resellers.md provisions a hundred servers and reckons their bill again', async () => {
  const run = await runGuide('docs/resellers.md', {
    GANTRY: world.url,
    EMAIL: adminEmail,
    PASSWORD: password,
  });
  expect(run).toEqual({
    status: 0,
    output: [
      '50',
      '50',
      'every server has its secrets',
      '50',
      '50 0',
      'suspended',
      'rust-7.example.net',
      'active',
      '100 licenses; the bill is right',
      '100',
      'true',
      '0',
      '100',
      '1',
      '',
    ].join('\n'),
    processes: [],
  });
}, 120_000);

it('docs/schedules.md leads from a preview to a restart that was announced, and to backups', async () => {
  const tenant = await world.createTenant();
  await SimulatedServer.start(world, tenant);
  const run = await runGuide('docs/schedules.md', {
    GANTRY: world.url,
    EMAIL: tenant.owner.email,
    PASSWORD: password,
  });
  expect(run).toEqual({
    status: 0,
    output: [
      'Restart in 15 minutes, see you soon!',
      'Restart in 1 minute, see you soon!',
      '900,300,60,30,10',
      'validation_failed',
      'succeeded',
      'succeeded',
      'scheduled Nightly backup',
      '',
      '0',
      '',
    ].join('\n'),
    processes: [],
  });
}, 180_000);

it('docs/webstore.md leads from a subscription to an order that is delivered', async () => {
  const tenant = await world.createTenant();
  await SimulatedServer.start(world, tenant);
  const { owner } = tenant;
  const run = await runGuide('docs/webstore.md', {
    GANTRY: world.url,
    EMAIL: owner.email,
    PASSWORD: password,
  });
  expect(run).toEqual({
    status: 0,
    output: expect.stringMatching(/^\w+\ntrue\ntrue\n<title>Rusty Islands<\/title>\npaid\n1\n$/),
    processes: [],
  });
}, 180_000);

it('docs/managed-instances.md leads from a template to a server that runs, changes and is removed', async () => {
  const { owner, license } = await world.createTenant();
  const run = await runGuide('docs/managed-instances.md', {
    GANTRY: world.url,
    COMPANION: license.companion_token,
    EMAIL: owner.email,
    PASSWORD: password,
  });
  expect(run).toEqual({
    status: 0,
    output: ['rust', '28015', 'succeeded', 'succeeded', 'succeeded', 'succeeded', ''].join('\n'),
    processes: [],
  });
}, 120_000);
