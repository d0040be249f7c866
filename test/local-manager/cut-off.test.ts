// Interrupted work is resumed, and only confirmed data is deleted.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostErrors } from '../../local-manager/stand-ins/windows-texts.ts';
import { keygen } from '../../local-manager/stand-ins/guest.ts';
import { ManagerWorld } from './support/manager.ts';
import { importRequest } from './support/requests.ts';

let at: ManagerWorld;

afterEach(() => at.stop());

const stepOf = async (name: string) =>
  (await at.get('/api/setup')).body.steps.find((step: { name: string }) => step.name === name);

it('an import resumes missing steps, and starts its copy again', async () => {
  at = await ManagerWorld.start({ begins: 'empty' });
  const { host, keyFile } = at.world;
  host.failsOnce.set('import-vm', { ...hostErrors.service, message: 'The disk is full.' });
  expect(await at.done('/api/setup/import', importRequest)).toMatchObject({ state: 'failed' });
  expect(host.leftFolders.size).toBe(1);

  // A key of a previous machine grants no access.
  keygen(keyFile);
  host.failsOnce.set('connect-network', { ...hostErrors.service, message: 'no switch' });
  expect(await at.done('/api/setup/import', importRequest)).toMatchObject({ state: 'failed' });
  expect(host.vm?.state).toBe('Off');
  expect(await stepOf('import')).toMatchObject({ state: 'failed' });
  expect((await at.get('/api/setup')).body.nextStep).toBe('import');

  await at.restart();
  host.failsOnce.set('install-key', { ...hostErrors.service, message: 'no rights' });
  expect(await at.done('/api/setup/import', { ...importRequest, memoryGB: 24 })).toMatchObject({
    state: 'failed',
  });
  expect(host.vm?.startupGB).toBe(24);
  const { state, steps } = await at.done('/api/setup/import', importRequest);
  expect(state).toBe('succeeded');
  expect(steps.filter((step) => step.state === 'skipped').map(({ name }) => name)).toEqual([
    'Copy the virtual machine',
    'Connect it to the network',
    'Prepare its disk',
    'Set its memory',
  ]);
  expect(readFileSync(keyFile, 'utf8')).toBe(readFileSync(at.world.guest.vendorKey, 'utf8'));
  expect(existsSync(`${keyFile}.before-1`)).toBe(true);
  expect(await stepOf('import')).toMatchObject({ state: 'done' });
  expect((await at.post('/api/setup/import', importRequest)).body.code).toBe('vm_exists');

  const network = await at.done('/api/setup/network', { mode: 'dhcp' });
  expect(network.state).toBe('succeeded');
  const restarts = readFileSync(join(at.world.folder, 'guest/etc/rc-service.log'), 'utf8');
  expect(restarts).toBe('networking restart\n');

  // Powered off it is the same machine, and its setup is remembered.
  await at.world.powerOff();
  expect(await stepOf('network')).toMatchObject({ state: 'done' });
});

it('a change of keys is completed by the next start', async () => {
  at = await ManagerWorld.start();
  const { keyFile, guest } = at.world;
  const accepted = join(guest.home, '.ssh/authorized_keys');
  const bodyOf = (text: string) => text.split(' ').slice(0, 2).join(' ');
  const vendor = readFileSync(`${guest.vendorKey}.pub`, 'utf8');
  keygen(keyFile);
  const own = readFileSync(`${keyFile}.pub`, 'utf8');
  // The state after a manager was killed between installing the new key and removing the old one.
  writeFileSync(accepted, `${own}${vendor}`);
  writeFileSync(join(at.home, 'key-change.json'), JSON.stringify({ keys: [bodyOf(vendor), bodyOf(own)] }));
  mkdirSync(join(at.home, 'keys/new-1'), { recursive: true });
  copyFileSync(keyFile, join(at.home, 'keys/new-1/sshKey'));
  await at.restart();
  expect(readFileSync(accepted, 'utf8')).toBe(own);
  expect(existsSync(join(at.home, 'key-change.json'))).toBe(false);
  expect(existsSync(join(at.home, 'keys/new-1'))).toBe(false);
  expect((await at.status()).ssh.state).toBe('ready');

  // Killed before the new key was installed, the new key is removed.
  writeFileSync(accepted, `${own}${vendor}`);
  writeFileSync(join(at.home, 'key-change.json'), JSON.stringify({ keys: [bodyOf(own), bodyOf(vendor)] }));
  await at.restart();
  expect(readFileSync(accepted, 'utf8')).toBe(own);

  // A machine that stays keeps its files and its key.
  at.world.host.isHeld = true;
  const held = await at.done('/api/setup/reset', { confirm: 'DELETE' });
  expect(held.result?.removed).toEqual([]);
  expect(held.result?.remaining?.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['vm', 'folder', 'key', 'cache']),
  );
  expect(existsSync(keyFile)).toBe(true);
  expect(at.world.host.folders.size).toBe(1);
});
