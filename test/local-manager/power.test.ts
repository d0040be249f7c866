// The status of host, virtual machine and battlegroup, and starting and stopping them.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hostErrors } from '../../local-manager/stand-ins/windows-texts.ts';
import { keygen } from '../../local-manager/stand-ins/guest.ts';
import { until } from '../support/until.ts';
import { ManagerWorld } from './support/manager.ts';

let at: ManagerWorld;

beforeEach(async () => {
  at = await ManagerWorld.start();
});

afterEach(() => at.stop());

describe('the status', () => {
  it('has host, virtual machine, SSH access, battlegroup and links', async () => {
    const status = await at.status();
    expect(status).toMatchObject({
      version: '1.4.0',
      needsBootstrap: false,
      host: { state: 'ready', detail: null, memoryTotalGB: 64, memoryFreeGB: 28 },
      vm: { name: 'dune-awakening', state: 'running', ip: '127.0.0.1', memoryGB: 20, startupMemoryGB: 20 },
      cluster: { state: 'ready', detail: null },
      ssh: { state: 'ready', keyPresent: true, keyPath: at.world.keyFile, wsl: true },
      battlegroup: { title: 'Sietch Tabr', phase: 'Stopped', isStopped: true, directorPort: 31234, maps: [] },
      links: { fileBrowser: 'http://127.0.0.1:18888/', director: 'http://127.0.0.1:31234/' },
      operation: null,
    });
  });

  it('shows the configured startup memory of a virtual machine that is off', async () => {
    await at.world.powerOff();
    const { vm, ssh, battlegroup } = await at.status();
    expect(vm).toMatchObject({
      state: 'off',
      ip: null,
      memoryGB: null,
      startupMemoryGB: 20,
      uptimeSeconds: null,
    });
    expect(ssh.state).toBe('notTried');
    expect(battlegroup).toBeNull();
  });

  it('copies the key to the home with mode 0600, and again when it has changed', async () => {
    chmodSync(at.world.keyFile, 0o777);
    expect((await at.status()).ssh.state).toBe('ready');
    const copy = join(at.home, 'keys/sshKey');
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    keygen(at.world.keyFile);
    expect((await at.status()).ssh).toMatchObject({ state: 'keyRejected' });
    at.world.installVendorKey();
    expect((await at.status()).ssh.state).toBe('ready');
  });

  it('reports why Windows gives no information', async () => {
    for (const [state, error] of [
      ['noPermission', hostErrors.permission],
      ['noHyperV', hostErrors.module],
      ['serviceStopped', hostErrors.service],
    ] as const) {
      at.world.host.refuses = error;
      const { host, vm } = await at.status();
      expect([host.state, vm.state]).toEqual([state, 'unknown']);
    }
  });
});

describe('SSH access', () => {
  it('fails at once without a key, and says so', async () => {
    rmSync(at.world.keyFile);
    const { ssh } = await at.status();
    expect(ssh).toMatchObject({ keyPresent: false, state: 'keyMissing', keyPath: at.world.keyFile });
    for (const [method, path] of [
      ['GET', '/api/battlegroup'],
      ['POST', '/api/battlegroup/start'],
      ['POST', '/api/battlegroup/stop'],
      ['POST', '/api/battlegroup/restart'],
      ['POST', '/api/battlegroup/update'],
      ['POST', '/api/battlegroup/backup'],
    ] as const) {
      const { status, body } = await at.call(method, path);
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'ssh_key_missing' });
      expect(body.detail).toContain(at.world.keyFile);
    }
    expect((await at.get('/api/operations')).body.data).toEqual([]);
  });

  it('distinguishes a key with a passphrase from one that is not accepted', async () => {
    keygen(at.world.keyFile, 'a passphrase');
    expect((await at.status()).ssh.state).toBe('passphrase');
    expect((await at.get('/api/battlegroup')).body.code).toBe('ssh_key_passphrase');
  });

  it('reports another host key, and a virtual machine that does not respond', async () => {
    await at.status();
    await at.world.guest.off();
    expect((await at.status()).ssh.state).toBe('unreachable');
    keygen(join(at.world.folder, 'host-key'));
    await at.world.guest.on();
    expect((await at.status()).ssh.state).toBe('hostKeyChanged');
    expect((await at.get('/api/battlegroup')).body.code).toBe('host_key_changed');
  });
});

describe('starting the virtual machine', () => {
  beforeEach(() => at.world.powerOff());

  it('steps down from the configured memory until the host has enough', async () => {
    at.world.host.vm!.startupGB = 22;
    at.world.host.options.memoryUsedGB = 64 - 17;
    const { status, body } = await at.post('/api/vm/start');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, memoryGB: 16, attemptedGB: [22, 20, 18, 16] });
    expect(await at.end(body.operation)).toMatchObject({
      state: 'succeeded',
      result: { memoryGB: 16, ip: '127.0.0.1' },
    });
    expect((await at.status()).vm).toMatchObject({ state: 'running', memoryGB: 16 });
  });

  it.each(['english', 'german', 'resources'] as const)(
    'returns 507 when the host has too little for any, and leaves the configuration unchanged (%s)',
    async (text) => {
      at.world.host.memoryText = text;
      at.world.host.options.memoryUsedGB = 60;
      const { status, body } = await at.post('/api/vm/start', {});
      expect(status).toBe(507);
      expect(body).toMatchObject({
        code: 'out_of_memory',
        startFailed: true,
        attemptedGB: [20, 18, 16, 14, 12],
        configuredGB: 20,
      });
      expect(at.world.host.vm).toMatchObject({ state: 'Off', startupGB: 20 });
      const [operation] = (await at.get('/api/operations')).body.data;
      expect(operation).toMatchObject({ kind: 'startVm', state: 'failed', problem: { startFailed: true } });
    },
  );

  it('tries only the requested memory', async () => {
    at.world.host.options.memoryUsedGB = 64 - 15;
    const { status, body } = await at.post('/api/vm/start', { memoryGB: 16 });
    expect({ status, attemptedGB: body.attemptedGB }).toEqual({ status: 507, attemptedGB: [16] });
    const again = await at.post('/api/vm/start', { memoryGB: 14 });
    expect(again.status).toBe(200);
    await at.end(again.body.operation);
  });

  it('returns 502 for any other failure, without stepping down', async () => {
    at.world.host.refusesStart = { ...hostErrors.service, message: 'disk is missing', fqid: 'Unspecified' };
    const { status, body } = await at.post('/api/vm/start');
    expect(status).toBe(502);
    expect(body).toMatchObject({ code: 'start_failed', startFailed: true, attemptedGB: [20] });
  });

  it('restores the configuration when the manager ended in the middle', async () => {
    writeFileSync(join(at.home, 'configured-memory.json'), '{"configuredGB":30}');
    await at.restart();
    expect(at.world.host.vm).toMatchObject({ startupGB: 30 });
  });

  it('is refused without a virtual machine, and for a running one', async () => {
    await at.world.powerOn();
    expect((await at.post('/api/vm/start')).body.code).toBe('vm_on');
    await at.world.powerOff();
    at.world.host.vm = undefined;
    expect((await at.post('/api/vm/start')).body.code).toBe('vm_missing');
    expect((await at.post('/api/vm/stop')).body.code).toBe('vm_missing');
  });
});

describe('the battlegroup', () => {
  it('starts, counts as reachable while it reconciles, and stops with the virtual machine', async () => {
    expect(await at.done('/api/battlegroup/start')).toMatchObject({ state: 'succeeded' });
    const { body } = await at.get('/api/battlegroup');
    expect(body).toMatchObject({ isStopped: false, isReachable: true });
    expect(body.maps).toContainEqual({
      map: 'Survival_1',
      partition: 1,
      server: 'Survival_1',
      phase: 'Running',
      isReady: true,
      players: 0,
    });
    const stopped = await at.done('/api/vm/stop');
    expect(stopped).toMatchObject({ kind: 'stopVm', state: 'succeeded' });
    expect(at.world.commands).toEqual(['start', 'stop']);
    expect(at.world.host.vm?.state).toBe('Off');
    expect((await at.post('/api/battlegroup/start')).body.code).toBe('vm_off');
  });

  it('is powered off only when it does not shut down and the user confirms', async () => {
    at.world.host.isHung = true;
    const hung = await at.done('/api/vm/stop');
    expect(hung).toMatchObject({ state: 'failed', problem: { code: 'vm_on' } });
    expect(hung.problem?.detail).toContain('pulling the plug');
    expect(await at.linesOf(hung)).toContain('did not shut down in time');
    expect(at.world.host.vm?.state).toBe('Running');
    const turnedOff = await at.done('/api/vm/turn-off');
    expect(turnedOff.steps.map(({ name }) => name)).toEqual(['Turn the virtual machine off']);
    expect(turnedOff.state).toBe('succeeded');
    expect(at.world.host.vm?.state).toBe('Off');
    expect(at.world.commands).toEqual([]);
  });

  it('is stopped completely and started by a restart', async () => {
    await at.done('/api/battlegroup/start');
    const { state, steps } = await at.done('/api/battlegroup/restart');
    expect(state).toBe('succeeded');
    expect(steps.map(({ name }) => name)).toEqual([
      'Stop the battlegroup',
      'Wait until it is stopped',
      'Start the battlegroup',
      'Wait until it can be reached',
    ]);
  });

  it('accepts an update that fails only at a link, and no other failure', async () => {
    at.world.failures.set('update', {
      lines: ['updated', "ln: failed to create symbolic link '/home/dune/.dune/bin/bg-util': File exists"],
      exitCode: 1,
    });
    expect((await at.done('/api/battlegroup/update')).state).toBe('succeeded');
    at.world.failures.set('backup', { lines: ['Killed', 'OOM'], exitCode: 137 });
    const failed = await at.done('/api/battlegroup/backup');
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'guest_failed' } });
    expect(failed.problem?.detail).toContain('137');
    expect(await at.linesOf(failed)).toContain('OOM');
  });

  it('is refused where there is none or more than one', async () => {
    at.world.addBattlegroup('Another', 'sh-other-abcdef');
    expect((await at.post('/api/battlegroup/start')).body.code).toBe('several_battlegroups');
  });

  it('runs one operation at a time, and names the running one', async () => {
    // It has started but is never reachable: the operation waits.
    at.world.failures.set('start', { lines: ['patched'], exitCode: 0 });
    const { body: first } = await at.post('/api/battlegroup/start');
    const { status, body } = await at.post('/api/battlegroup/stop');
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'operation_running',
      detail: '“Start battlegroup” is running: wait until it has finished, or cancel it.',
      operation: { id: first.id, kind: 'startBattlegroup' },
    });
    expect((await at.status()).operation).toEqual({ id: first.id, kind: 'startBattlegroup' });
    const path = `/api/operations/${first.id}`;
    await until(async () => (await at.get(path)).body.isCancellable, 'waiting');
    expect((await at.post(`${path}/cancel`)).status).toBe(202);
    await at.end(first);
  });

  it('can be cancelled while waiting', async () => {
    at.world.failures.set('start', { lines: ['patched'], exitCode: 0 });
    const { body: operation } = await at.post('/api/battlegroup/start');
    const path = `/api/operations/${operation.id}`;
    await until(async () => (await at.get(path)).body.isCancellable, 'waiting');
    expect((await at.post(`${path}/cancel`)).status).toBe(202);
    expect((await at.end(operation)).state).toBe('cancelled');
    expect((await at.post(`${path}/cancel`)).body.code).toBe('operation_ended');
  });
});
