// Runs the guides of docs/ unchanged, and again in the same directory with the same platform and account.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { withEventTable } from '../../scripts/events.ts';
import { root } from '../support/contract.ts';
import { runGuide, runGuideTwice } from '../support/guide.ts';
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
  const environment = { GANTRY: world.url, EMAIL: adminEmail, PASSWORD: password };
  const runs = [
    ...(await runGuideTwice('docs/first-server.md', environment)),
    await runGuide('docs/first-server.md', environment), // in another directory
  ];
  const expected = {
    status: 0,
    output: expect.stringMatching(
      /succeeded[\s\S]*Server startup complete[\s\S]*\nplayers : \d+ \(100 max\)[\s\S]*succeeded\n$/,
    ),
    processes: [],
  };
  expect(runs).toEqual([expected, expected, expected]);
}, 300_000);

it('docs/events.md leads from the log to a stream that continues it', async () => {
  const { owner } = await world.createTenant();
  const runs = await runGuideTwice('docs/events.md', {
    GANTRY: world.url,
    EMAIL: owner.email,
    PASSWORD: password,
  });
  for (const run of runs) {
    expect(run).toMatchObject({ status: 0, processes: [] });
    expect(run.output).toMatch(/^true\nlicense\.created\ncluster\.created\nevent: cluster\.created\n$/);
  }
}, 300_000);

it('docs/events.md lists the types of the catalogue', () => {
  const guide = readFileSync(resolve(root, 'docs/events.md'), 'utf8');
  expect(guide).toBe(withEventTable(guide));
});

it('docs/team-and-keys.md leads from an invitation to a key, and back', async () => {
  const { owner } = await world.createTenant({ name: 'The guide' });
  const runs = await runGuideTwice('docs/team-and-keys.md', {
    GANTRY: world.url,
    EMAIL: owner.email,
    PASSWORD: password,
    MAIL: world.mailDirectory,
  });
  for (const run of runs) {
    expect(run).toMatchObject({ status: 0, processes: [] });
    expect(run.output).toMatch(
      /Night watch\n\{"data":\[\].*\}.*commands\.view.*\ninstances\.\*\nunauthorized\n.*watch-\d+@example\.com/s,
    );
  }
}, 300_000);

it('docs/alerts.md leads from the rules to a channel that was tried, and to a template', async () => {
  const { owner } = await world.createTenant();
  const runs = await runGuideTwice('docs/alerts.md', {
    GANTRY: world.url,
    EMAIL: owner.email,
    PASSWORD: password,
  });
  const output = (percent: number, version: number) =>
    [percent, 60, 0, 'pending', 'succeeded', version, 'validation_failed', ''].join('\n');
  expect(runs).toEqual([
    { status: 0, output: output(50, 2), processes: [] },
    { status: 0, output: output(60, 3), processes: [] },
  ]);
  expect((await world.mailTo(owner.email)).subject).toBe('Test of Owner');
}, 300_000);

it('docs/migration.md imports the configuration of one license into another once, and rejects a damaged document', async () => {
  const [from, to] = [await world.createTenant(), await world.createTenant()];
  const runs = await runGuideTwice('docs/migration.md', {
    GANTRY: world.url,
    EMAIL: from.owner.email,
    TO_EMAIL: to.owner.email,
    PASSWORD: password,
  });
  const output = (made: string[], trial: '1 0 0 0' | '0 0 1 0', outcome: string) =>
    [
      ...made,
      'Night watch',
      'alert_config 0 0 0 0',
      'backup_policies 0 0 0 0',
      `clusters ${trial}`,
      'instances 0 0 0 0',
      'notification_channels 0 0 0 0',
      'plugin_configs 0 0 0 0',
      `roles ${trial}`,
      'schedules 0 0 0 0',
      'site_config 0 0 0 0',
      'site_listings 0 0 0 0',
      'store_categories 0 0 0 0',
      'store_config 0 0 0 0',
      'store_items 0 0 0 0',
      'webhooks 0 0 0 0',
      '0',
      outcome,
      'unchanged',
      'checksum_mismatch',
      '',
    ].join('\n');
  expect(runs).toEqual([
    { status: 0, output: output(['EU islands', 'Night watch'], '1 0 0 0', 'created'), processes: [] },
    { status: 0, output: output([], '0 0 1 0', 'unchanged'), processes: [] },
  ]);
}, 300_000);

it('docs/resellers.md provisions a hundred servers and recalculates their bill', async () => {
  const runs = await runGuideTwice('docs/resellers.md', {
    GANTRY: world.url,
    EMAIL: adminEmail,
    PASSWORD: password,
  });
  const expected = {
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
  };
  expect(runs).toEqual([expected, expected]);
}, 300_000);

it('docs/schedules.md leads from a preview to an announced restart, and to backups', async () => {
  const tenant = await world.createTenant();
  await SimulatedServer.start(world, tenant);
  const runs = await runGuideTwice('docs/schedules.md', {
    GANTRY: world.url,
    EMAIL: tenant.owner.email,
    PASSWORD: password,
  });
  const expected = {
    status: 0,
    output: [
      'Restart in 15 minutes, see you soon!',
      'Restart in 1 minute, see you soon!',
      '900,300,60,30,10',
      'validation_failed',
      'succeeded',
      'succeeded',
      'scheduled Nightly backup',
      '0',
      '',
    ].join('\n'),
    processes: [],
  };
  expect(runs).toEqual([expected, expected]);
}, 300_000);

it('docs/webstore.md leads from a subscription to an order that is delivered', async () => {
  const tenant = await world.createTenant();
  await SimulatedServer.start(world, tenant);
  const { owner } = tenant;
  const runs = await runGuideTwice('docs/webstore.md', {
    GANTRY: world.url,
    EMAIL: owner.email,
    PASSWORD: password,
  });
  const output = (status: string) =>
    [status, 'true', 'true', '<title>Rusty Islands</title>', 'paid', '1', ''].join('\n');
  expect(runs).toEqual([
    { status: 0, output: output('trialing'), processes: [] },
    { status: 0, output: output('active'), processes: [] },
  ]);
}, 300_000);

it('docs/managed-instances.md leads from a template to a server that runs, is updated and removed', async () => {
  const { owner, license } = await world.createTenant();
  const runs = await runGuideTwice('docs/managed-instances.md', {
    GANTRY: world.url,
    COMPANION: license.companion_token,
    EMAIL: owner.email,
    PASSWORD: password,
  });
  const expected = {
    status: 0,
    output: ['rust', '28015', 'succeeded', 'succeeded', 'succeeded', 'succeeded', ''].join('\n'),
    processes: [],
  };
  expect(runs).toEqual([expected, expected]);
}, 300_000);

it('docs/sandbox.md leads from nothing to a sandbox, its events and its clock', async () => {
  const { status, output, processes } = await runGuide('docs/sandbox.md', { GANTRY: world.url });
  expect({ status, processes }).toEqual({ status: 0, processes: [] });
  expect(output).toMatch(
    /42\nevent,main\n(.*\n)?Fern\nchat\npaid\ncrash\nsilence\ntrue\ntrue\n9\.99,9\.99\nsandbox-module\n0\n$/s,
  );
}, 300_000);

it('README.md leads developers to a paid order and a wipe in a sandbox', async () => {
  const run = await runGuide('README.md', { GANTRY: world.url }, [], 'Five minutes for developers');
  expect(run).toEqual({ status: 0, output: 'paid\nWeekly wipe\ntrue\ncompleted\n', processes: [] });
}, 300_000);
