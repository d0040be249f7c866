// The command line's stored contract, profiles with their keys and sessions, and completion in shells.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cli, createCliKey, listening } from '../support/cli.ts';
import { operationIdOf } from '../support/contract.ts';
import { password, World, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let cli: Cli;
let key: string;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  key = await createCliKey(world, tenant, { 'fleet.view': true });
  cli = new Cli(world.url, { GANTRY_API_KEY: key });
});

afterAll(async () => {
  cli.close();
  await world.close();
});

const startInstance = operationIdOf('post', '/api/instances/{instance_id}/start');
const listClusters = operationIdOf('get', '/api/fleet/clusters');

describe('the contract', () => {
  it('is kept, and asked for again with its ETag', async () => {
    const requests: { etag: string | undefined; status: number }[] = [];
    const document = readFileSync('generated/platform.openapi-3.1.json');
    const server = await listening((request, response) => {
      const etag = request.headers['if-none-match'];
      const status = etag === '"1"' ? 304 : 200;
      requests.push({ etag, status });
      response
        .writeHead(status, { ETag: '"1"', 'Content-Type': 'application/json' })
        .end(status === 200 ? document : '');
    });
    const own = new Cli(server.url);
    await own.run(['operations', 'search', 'server']);
    await own.run(['operations', 'search', 'server']);
    expect(requests).toEqual([
      { etag: undefined, status: 200 },
      { etag: '"1"', status: 304 },
    ]);
    server.server.close();
    own.close();
  });

  it('has a revision that the platform confirms', async () => {
    const first = await fetch(`${world.url}/api/openapi.json`);
    const etag = first.headers.get('ETag') ?? '';
    await first.arrayBuffer();
    const second = await fetch(`${world.url}/api/openapi.json`, { headers: { 'If-None-Match': etag } });
    await second.arrayBuffer();
    expect([first.status, second.status]).toEqual([200, 304]);
  });
});

describe('profiles', () => {
  it('keep the key in a file of its owner, and never show it', async () => {
    const own = new Cli('');
    await own.run(['profile', 'set', 'main', '--server', `${world.url}/`]);
    expect(await own.run(['profile', 'set', 'main', '--api-key'], { input: `${key}\n` })).toMatchObject({
      status: 0,
    });
    expect(statSync(own.profilesFile).mode & 0o777).toBe(0o600);
    const shown = await own.run(['profile', 'show']);
    expect(shown.stdout).toContain('API key');
    expect(`${shown.stdout}${(await own.run(['profile', 'list'])).stdout}`).not.toContain(key);
    expect(Array.isArray(await own.json(['api', listClusters, '--all']))).toBe(true);
    chmodSync(own.profilesFile, 0o644);
    expect(await own.run(['profile', 'list'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('chmod 600'),
    });
    own.close();
  });

  it('lose no change of another process', async () => {
    const own = new Cli('');
    const names = Array.from({ length: 4 }, (_, index) => `profile-${index}`);
    const runs = await Promise.all(
      names.map((name) => own.run(['profile', 'set', name, '--server', world.url])),
    );
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    const { profiles } = JSON.parse(readFileSync(own.profilesFile, 'utf8')) as { profiles: object };
    expect(Object.keys(profiles).sort()).toEqual(names);
    own.close();
  });

  it('take the key from a command, such as that of a key store', async () => {
    const own = new Cli('');
    const file = join(own.directory, 'key');
    writeFileSync(file, key);
    await own.run(['profile', 'set', 'main', '--server', world.url, '--api-key-command', `cat "${file}"`]);
    expect(readFileSync(own.profilesFile, 'utf8')).not.toContain(key);
    expect(Array.isArray(await own.json(['api', listClusters, '--all']))).toBe(true);
    own.close();
  });

  it('do not send the key of one server to another', async () => {
    const own = new Cli('');
    const seen: (string | undefined)[] = [];
    const document = readFileSync('generated/platform.openapi-3.1.json');
    const other = await listening((request, response) => {
      seen.push(request.headers['x-api-key'] as string | undefined);
      response
        .setHeader('Content-Type', 'application/json')
        .end(request.url === '/api/openapi.json' ? document : '{}');
    });
    await own.run(['profile', 'set', 'main', '--server', world.url]);
    await own.run(['profile', 'set', 'main', '--api-key'], { input: key });
    const address = other.url;
    await own.run(['api', listClusters, '--server', address]);
    expect(seen).toEqual([undefined, undefined]);
    // A profile that moves to another server leaves its key behind.
    await own.run(['profile', 'set', 'main', '--server', address]);
    expect(readFileSync(own.profilesFile, 'utf8')).not.toContain(key);
    other.server.close();
    own.close();
  });

  it('sign in, renew, step up and sign out', async () => {
    const own = new Cli('');
    await own.run(['profile', 'set', 'main', '--server', world.url]);
    const signIn = await own.run(['sign-in', '--email', tenant.owner.email], { input: `${password}\n` });
    expect(signIn).toMatchObject({ status: 0, stderr: expect.stringContaining(tenant.owner.email) });
    const me = await own.json(['api', operationIdOf('get', '/auth/me')]);
    expect(JSON.stringify(me)).toContain(tenant.owner.email);
    expect(await own.run(['step-up'], { input: password })).toMatchObject({ status: 0 });
    // An access token that has expired is renewed, and the new one is stored.
    const stored = JSON.parse(readFileSync(own.profilesFile, 'utf8'));
    const former = stored.profiles.main.session.refresh_token as string;
    stored.profiles.main.session.expires_at = Date.now() - 1000;
    writeFileSync(own.profilesFile, JSON.stringify(stored));
    await own.json(['api', operationIdOf('get', '/auth/me')]);
    expect(JSON.parse(readFileSync(own.profilesFile, 'utf8')).profiles.main.session.refresh_token).not.toBe(
      former,
    );
    expect(await own.run(['sign-out'])).toMatchObject({ status: 0 });
    expect(readFileSync(own.profilesFile, 'utf8')).not.toContain('session');
    own.close();
  });
});

describe('completion', () => {
  const complete = async (...words: string[]) =>
    (await cli.run(['__complete', '--', ...words])).stdout.split('\n').map((line) => line.split('\t')[0]);

  it('knows commands, operations, their options and values', async () => {
    expect(await complete('a')).toContain('api');
    expect(await complete('api', startInstance.slice(0, -3))).toContain(startInstance);
    expect(await complete('api', startInstance, '--inst')).toContain('--instance-id');
    expect(await complete('operations', 'describe', listClusters.slice(0, -2))).toContain(listClusters);
    expect(await complete('api', listClusters, '--output', '')).toEqual(['table', 'json', 'csv', '']);
    expect(await complete('profile', 'us')).toEqual(['use', '']);
  });

  it('works in bash', async () => {
    const { stdout: script } = await cli.run(['completion', 'bash']);
    const wrapper = join(cli.directory, 'gantry');
    writeFileSync(wrapper, `#!/bin/sh\nexec ${cli.command.map((word) => `"${word}"`).join(' ')} "$@"\n`, {
      mode: 0o755,
    });
    const shell = spawnSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=(gantry api ${startInstance.slice(0, -2)}); COMP_CWORD=2; _gantry; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { env: { ...cli.environment, PATH: `${cli.directory}:${cli.environment['PATH']}` }, encoding: 'utf8' },
    );
    expect(shell.stderr).toBe('');
    expect(shell.stdout.split('\n')).toContain(startInstance);
  });

  it.each(['zsh', 'fish', 'powershell'])('prints a script for %s that asks this program', async (shell) => {
    const { status, stdout } = await cli.run(['completion', shell]);
    expect(status).toBe(0);
    expect(stdout).toContain('gantry __complete --');
  });
});
