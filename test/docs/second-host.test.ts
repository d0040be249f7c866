// Runs docs/second-host.md twice unchanged on a separate machine: a network namespace that reaches only the
// platform.
import { execFileSync } from 'node:child_process';
import { runGuideTwice } from '../support/guide.ts';
import { hasProgram } from '../support/needs.ts';
import { password, World } from '../support/world.ts';

const namespace = `gantry-${process.pid}`;
const [here, there] = ['10.203.77.1', '10.203.77.2'];
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

const hasNamespaces = process.getuid?.() === 0 && hasProgram('ip');
const [addressOfPlatform, within, name] = hasNamespaces
  ? [here, ['ip', 'netns', 'exec', namespace], 'in a network namespace']
  : [
      '127.0.0.2',
      [],
      'over another loopback address (the network namespace is left out: it needs root and iproute2)',
    ];

let world: World;

beforeAll(async () => {
  if (hasNamespaces) {
    const link = `gt${process.pid}`;
    ip('netns', 'add', namespace);
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('address', 'add', `${here}/30`, 'dev', link);
    ip('link', 'set', link, 'up');
    ip('-n', namespace, 'address', 'add', `${there}/30`, 'dev', 'eth0');
    ip('-n', namespace, 'link', 'set', 'eth0', 'up');
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
  }
  world = await World.create({ host: addressOfPlatform, givesRelay: true });
});

afterAll(async () => {
  await world.close();
  if (hasNamespaces) ip('netns', 'delete', namespace);
});

it(`docs/second-host.md connects a second machine, ${name}`, async () => {
  const { license, owner } = await world.createTenant();
  const runs = await runGuideTwice(
    'docs/second-host.md',
    { GANTRY: world.url, COMPANION: license.companion_token, EMAIL: owner.email, PASSWORD: password },
    within,
  );
  const expected = {
    status: 0,
    output: [
      `"urls":["${world.url.replace('http', 'ws')}/api/agent/bus"]`,
      'connected to the bus',
      'second-host',
      'succeeded',
      'succeeded',
      '',
    ].join('\n'),
    processes: [],
  };
  expect(runs).toEqual([expected, expected]);
}, 180_000);
