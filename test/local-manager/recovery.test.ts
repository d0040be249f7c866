// Access to a virtual machine whose key is lost or whose host key has changed, without losing its world.
import { readFileSync, rmSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keygen } from '../../local-manager/stand-ins/guest.ts';
import { until } from '../support/until.ts';
import { ManagerWorld } from './support/manager.ts';

const password = 'pass "word" %PATH% $(id) !x^&|<>';

let at: ManagerWorld;

beforeEach(async () => {
  at = await ManagerWorld.start();
});

afterEach(() => at.stop());

const authorized = () =>
  readFileSync(join(at.world.guest.home, '.ssh/authorized_keys'), 'utf8').trim().split('\n');

describe('a lost key', () => {
  beforeEach(() => rmSync(at.world.keyFile));

  it('is replaced with the password of the machine, which is kept nowhere', async () => {
    at.world.guest.takePassword(password);
    await at.world.powerOff();
    await at.world.powerOn();
    const wrong = await at.done('/api/setup/key-recovery', { method: 'password', password: 'another one' });
    expect(wrong).toMatchObject({ state: 'failed', problem: { code: 'ssh_password_rejected' } });
    const recovered = await at.done('/api/setup/key-recovery', { method: 'password', password });
    expect(recovered).toMatchObject({ state: 'succeeded' });
    expect((await at.status()).ssh.state).toBe('ready');
    expect((await at.get('/api/battlegroup')).body.title).toBe('Sietch Tabr');
    expect(authorized()).toHaveLength(2);
    const { status, stdout } = spawnSync('grep', ['-rlF', password, at.home, at.world.localFolder]);
    expect({ status, kept: stdout.toString() }).toEqual({ status: 1, kept: '' });
  });

  it('is replaced with the key of the package, which loses its access', async () => {
    const recovered = await at.done('/api/setup/key-recovery', { method: 'bundledKey' });
    expect(recovered).toMatchObject({ state: 'succeeded' });
    expect((await at.status()).ssh.state).toBe('ready');
    expect(authorized()).toEqual([expect.stringContaining('gantry-local-manager')]);
    expect(await readdir(join(at.home, 'keys'))).toEqual(['sshKey']);
  });

  it('is not replaced with a key of the package that is not accepted, and nothing is left behind', async () => {
    keygen(at.world.guest.vendorKey);
    const refused = await at.done('/api/setup/key-recovery', { method: 'bundledKey' });
    expect(refused).toMatchObject({ state: 'failed', problem: { code: 'ssh_key_rejected' } });
    expect(refused.problem?.detail).toContain('the key of the vendor’s package');
    expect(await readdir(join(at.home, 'keys'))).toEqual([]);
  });

  it('is replaced at the console of the machine', async () => {
    const { body: operation } = await at.post('/api/setup/key-recovery', { method: 'console' });
    const command = await until(async () => {
      const { body } = await at.get(`/api/operations/${operation.id}`);
      return (body.steps as { detail: string | null }[]).at(-1)?.detail ?? undefined;
    }, 'the command');
    execFileSync('sh', ['-c', command], { env: { ...process.env, HOME: at.world.guest.home } });
    expect(await at.end(operation)).toMatchObject({ state: 'succeeded' });
    expect((await at.status()).ssh.state).toBe('ready');
  });
});

it('requires the password that it logs in with', async () => {
  const { status, body } = await at.post('/api/setup/key-recovery', { method: 'password' });
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'validation_failed' });
});

it('shows both fingerprints of a changed host key, and accepts exactly the one that was seen', async () => {
  await at.status();
  await at.world.guest.off();
  keygen(join(at.world.folder, 'host-key'));
  await at.world.guest.on();
  const { ssh } = await at.status();
  expect(ssh).toMatchObject({
    state: 'hostKeyChanged',
    hostKeys: { known: expect.stringMatching(/^SHA256:/), shown: expect.stringMatching(/^SHA256:/) },
  });
  const fingerprint = execFileSync('ssh-keygen', ['-lf', join(at.world.folder, 'host-key.pub')], {
    encoding: 'utf8',
  });
  expect(fingerprint).toContain(ssh.hostKeys?.shown);
  expect(ssh.hostKeys?.known).not.toBe(ssh.hostKeys?.shown);

  const other = await at.post('/api/setup/host-key', { fingerprint: ssh.hostKeys?.known });
  expect({ status: other.status, code: other.body.code }).toEqual({ status: 409, code: 'host_key_changed' });
  expect((await at.status()).ssh.state).toBe('hostKeyChanged');

  const accepted = await at.post('/api/setup/host-key', { fingerprint: ssh.hostKeys?.shown });
  expect(accepted.status).toBe(200);
  expect((await at.status()).ssh).toMatchObject({ state: 'ready', hostKeys: null });
  expect(await readdir(at.home)).not.toContainEqual(expect.stringMatching(/^known_hosts\./));
});
