// Sessions with the virtual machine: how they end, replies to their prompts, and a failing status query.
import { chmodSync, copyFileSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../local-manager/src/config.ts';
import { GuestShell } from '../../local-manager/src/guest-shell/guest-shell.ts';
import { startManager } from '../../local-manager/src/manager.ts';
import { keygen } from '../../local-manager/stand-ins/guest.ts';
import { ManagerWorld } from './support/manager.ts';
import { bootstrapRequest, selfHostingToken } from './support/requests.ts';
import { unzipped } from '../support/zip-files.ts';

let at: ManagerWorld;

beforeAll(async () => {
  at = await ManagerWorld.start({ begins: 'imported' });
});

afterAll(() => at.stop());

it('count as done with a terminal that was closed after output, and not without one', async () => {
  const { guest, folder, keyFile } = at.world;
  const key = join(folder, 'own-key');
  copyFileSync(keyFile, key);
  chmodSync(key, 0o600);
  const shell = new GuestShell('ssh', {
    ...{ host: '127.0.0.1', port: guest.port, user: guest.user, alias: 'cut' },
    ...{
      knownHostsFile: join(folder, 'cut_known_hosts'),
      keyFile: key,
      keySource: key,
      isKeyEncrypted: false,
    },
  });
  // The shell that would print the marker is gone before it can.
  const cut = { script: 'echo printed; kill -9 "$PPID"' };
  expect(await shell.run({ ...cut, wantsTerminal: true })).toMatchObject({ exitCode: 0 });
  await expect(shell.run(cut)).rejects.toMatchObject({ code: 'guest_failed' });
});

it('reply to the prompt before swap is switched on', async () => {
  const { state, steps } = await at.done('/api/setup/bootstrap', { ...bootstrapRequest, enableSwap: true });
  expect(state).toBe('succeeded');
  expect(steps.at(-1)).toMatchObject({ name: 'Switch on swap', state: 'succeeded' });
  expect(at.world.commands).toContain('enable-experimental-swap');
});

it('are retried when one status query of the battlegroup fails', async () => {
  const { status, body } = await at.post('/api/battlegroup/start');
  expect(status).toBe(202);
  at.world.cluster.unlisted.set('battlegroups', 1);
  expect(await at.end(body)).toMatchObject({ state: 'succeeded' });
  expect(at.world.cluster.unlisted.get('battlegroups')).toBe(0);
});

it('leave no secret behind', async () => {
  const { keyFile, failures } = at.world;
  const password = 'a long and unguessable sentence';
  const joinPassword = 'the spice must flow';
  expect(await at.done('/api/setup/security', { newPassword: password, rotateKey: true })).toMatchObject({
    state: 'succeeded',
  });
  const { headers } = await at.get('/api/game-config');
  const place = { file: 'UserEngine.ini', section: 'ConsoleVariables', key: 'Bgd.ServerLoginPassword' };
  const changes = [{ ...place, value: joinPassword }];
  const saved = await at.call(
    'PATCH',
    '/api/game-config',
    { changes },
    { 'If-Match': headers.get('etag') ?? '' },
  );
  expect(saved.status).toBe(200);
  const key = readFileSync(keyFile, 'utf8');
  const said = [`passwd ${password}`, `token ${selfHostingToken}`, `join with ${joinPassword}`];
  failures.set('backup', { lines: [...said, ...key.trim().split('\n'), 'no space left'], exitCode: 1 });
  const failed = await at.done('/api/battlegroup/backup');
  expect(failed).toMatchObject({ state: 'failed' });
  expect(await at.linesOf(failed)).toContain('join with •••');
  const secrets = [password, joinPassword, selfHostingToken, key.split('\n')[1] ?? '', at.manager.token];
  const look = async () => {
    const bundle = await fetch(`${at.manager.url}/api/diagnostics/bundle`, {
      headers: { 'X-Manager-Token': at.manager.token },
    });
    const files = await unzipped(Buffer.from(await bundle.arrayBuffer()));
    expect([...files.keys()].some((name) => name.startsWith('lines/backUpBattlegroup-'))).toBe(true);
    // The key's copy, the session of this start and the saved settings contain secrets by design.
    const kept = globSync(['*', 'operations/*'], { cwd: at.home, exclude: ['session.json'] })
      .map((name) => join(at.home, name))
      .filter((path) => statSync(path).isFile());
    const texts = [...files.values(), ...kept.map((path) => readFileSync(path, 'utf8'))];
    expect(kept.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  };
  await look();
  // The next start does not know any of them.
  await at.restart();
  await look();
  failures.clear();
}, 240_000);

it('are checked by the self-test, which passes no failed check', async () => {
  keygen(at.world.keyFile, 'a passphrase');
  at.world.host.hasPackage = false;
  const { body } = await at.get('/api/diagnostics/selftest');
  const states = body.checks.map(({ name, state }: Record<string, string>) => [name, state]);
  expect(Object.fromEntries(states)).toMatchObject({
    'Host: Hyper-V': 'passed',
    'Host: Vendor’s package': 'failed',
    'SSH key': 'failed',
    SSH: 'skipped',
  });
});

it('belong to one manager: another one with the same home does not start', async () => {
  const options = { log: pino({ level: 'silent' }), validateReplies: true };
  await expect(startManager(readConfig(at.world.environment(at.home)), options)).rejects.toThrow(
    'Another manager runs with',
  );
});
