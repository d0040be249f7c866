// Sessions with the virtual machine: how they end, what is answered in them, and a look that fails.
import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../local-manager/src/config.ts';
import { GuestShell } from '../../local-manager/src/guest-shell/guest-shell.ts';
import { startManager } from '../../local-manager/src/manager.ts';
import { keygen } from '../../local-manager/stand-ins/guest.ts';
import { ManagerWorld } from './support/manager.ts';
import { bootstrapRequest } from './support/requests.ts';

let at: ManagerWorld;

beforeAll(async () => {
  at = await ManagerWorld.start({ begins: 'imported' });
});

afterAll(() => at.stop());

it('count as done with a terminal that was closed after something was printed, and not without one', async () => {
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
  // The shell that would print the mark is gone before it can.
  const cut = { script: 'echo printed; kill -9 "$PPID"' };
  expect(await shell.run({ ...cut, wantsTerminal: true })).toMatchObject({ exitCode: 0 });
  await expect(shell.run(cut)).rejects.toMatchObject({ code: 'guest_failed' });
});

it('answer what is asked before swap is switched on', async () => {
  const { state, steps } = await at.done('/api/setup/bootstrap', { ...bootstrapRequest, enableSwap: true });
  expect(state).toBe('succeeded');
  expect(steps.at(-1)).toMatchObject({ name: 'Switch on swap', state: 'succeeded' });
  expect(at.world.commands).toContain('enable-experimental-swap');
});

it('are tried again where one look at the battlegroup fails', async () => {
  const { status, body } = await at.post('/api/battlegroup/start');
  expect(status).toBe(202);
  at.world.cluster.unlisted.set('battlegroups', 1);
  expect(await at.end(body)).toMatchObject({ state: 'succeeded' });
  expect(at.world.cluster.unlisted.get('battlegroups')).toBe(0);
});

it('are tried by the self-test, which passes nothing that has failed', async () => {
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

it('are one manager’s: another one with the same home does not start', async () => {
  const options = { log: pino({ level: 'silent' }), validateReplies: true };
  await expect(startManager(readConfig(at.world.environment(at.home)), options)).rejects.toThrow(
    'Another manager runs with',
  );
});
