// The wizard from nothing to a battlegroup, failures on the way, repair and reset.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { ManagerWorld } from './support/manager.ts';
import { bootstrapRequest as bootstrap, selfHostingToken as token } from './support/requests.ts';

const password = 'a long and unguessable sentence';
const wholeWizardMs = 240_000;

let at: ManagerWorld;

afterEach(() => at.stop());

it(
  'leads from nothing to a running battlegroup',
  async () => {
    at = await ManagerWorld.start({ begins: 'empty', memoryUsedGB: 64 - 25 });
    at.world.setup.retries = 1;
    expect((await at.get('/api/setup')).body).toMatchObject({
      isComplete: false,
      nextStep: 'import',
      needsRepair: false,
    });
    expect((await at.get('/api/setup/preflight')).body).toMatchObject({
      isReady: true,
      vmExists: false,
      drives: [
        { name: 'C', freeGB: 80, isLargeEnough: false },
        { name: 'D', freeGB: 512, isLargeEnough: true },
      ],
      nics: [{ name: 'Ethernet', description: 'Intel I219-V' }],
      suggestedMemoryGB: 20,
    });

    const imported = await at.done('/api/setup/import', {
      ...{ drive: 'D', memoryGB: 30, networkMode: 'external', nicName: 'Ethernet' },
    });
    expect(imported).toMatchObject({ state: 'succeeded', result: { memoryGB: 24, ip: '127.0.0.1' } });
    expect(at.world.host.folders.has('D:\\DuneAwakeningServer')).toBe(true);
    expect(existsSync(at.world.keyFile)).toBe(true);
    expect(await at.status()).toMatchObject({ needsBootstrap: true, ssh: { state: 'ready' } });
    expect((await at.get('/api/setup')).body).toMatchObject({ nextStep: 'security', needsRepair: false });

    const vendorKey = readFileSync(at.world.keyFile, 'utf8');
    const locked = await at.done('/api/setup/security', { newPassword: password, rotateKey: true });
    expect(locked).toMatchObject({ state: 'succeeded' });
    // The vendor's key loses access, as the step says.
    expect(locked.steps.map(({ name }) => name)).toEqual([
      'Change the password',
      'Create a new key',
      'Install it in the virtual machine',
      'Test it',
      'Put it in place',
      'Revoke the keys that are not in place',
    ]);
    expect(readFileSync(join(at.world.folder, 'guest/etc/shadow.new'), 'utf8')).toBe(
      `${at.world.guest.user}:${password}\n`,
    );
    expect(readFileSync(at.world.keyFile, 'utf8')).not.toBe(vendorKey);
    const authorized = readFileSync(join(at.world.guest.home, '.ssh/authorized_keys'), 'utf8')
      .trim()
      .split('\n');
    expect(authorized).toHaveLength(1);
    expect(authorized[0]).toContain('gantry-local-manager');
    expect((await at.status()).ssh.state).toBe('ready');

    await at.done('/api/setup/network', { mode: 'dhcp', playerIp: '203.0.113.7' });
    expect(readFileSync(join(at.world.folder, 'guest/etc/network/interfaces'), 'utf8')).toContain(
      'inet dhcp',
    );
    expect(at.world.guest.lineFour()).toBe('203.0.113.7');

    await at.restart();
    expect((await at.get('/api/setup')).body).toMatchObject({ nextStep: 'bootstrap' });
    const done = await at.done('/api/setup/bootstrap', bootstrap);
    expect(done).toMatchObject({ state: 'succeeded', problem: null });
    expect(at.world.setupInputs).toEqual({ world: 'Sietch Tabr', region: 'Europe', token });
    expect((await at.get('/api/setup')).body).toMatchObject({ isComplete: true, nextStep: null });

    const everything = `${JSON.stringify((await at.get('/api/operations')).body)}${await at.linesOf(done)}${readFileSync(join(at.home, 'audit.jsonl'), 'utf8')}`;
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(password);

    await at.done('/api/battlegroup/start');
    expect((await at.status()).battlegroup).toMatchObject({ title: 'Sietch Tabr', isReachable: true });
    expect(at.world.cluster.externalIp).toBe('203.0.113.7');
  },
  wholeWizardMs,
);

describe('a step of the setup', () => {
  const stepsOf = async () => {
    const { body } = await at.get('/api/setup');
    const states = (body.steps as { name: string; state: string }[]).map(({ name, state }) => [name, state]);
    return { ...body, states: Object.fromEntries(states) as Record<string, string> };
  };

  it('is not done for a virtual machine that was adopted and never locked', async () => {
    at = await ManagerWorld.start();
    const { isComplete, nextStep, states, steps } = await stepsOf();
    expect({ isComplete, nextStep }).toEqual({ isComplete: true, nextStep: null });
    expect(states).toMatchObject({
      import: 'done',
      security: 'unknown',
      network: 'unknown',
      bootstrap: 'done',
    });
    expect(steps[2].detail).toContain('vendor’s password and key');
    await at.done('/api/setup/security', { newPassword: password, rotateKey: false });
    expect((await stepsOf()).steps[2]).toEqual({
      name: 'security',
      state: 'done',
      detail: 'Only the password was replaced, not the key.',
    });
    await at.done('/api/setup/security', { newPassword: password, rotateKey: true });
    expect((await stepsOf()).steps[2]).toEqual({ name: 'security', state: 'done', detail: null });
  });

  it('is not done for a host without the package', async () => {
    at = await ManagerWorld.start({ begins: 'empty' });
    at.world.host.hasPackage = false;
    const { nextStep, steps } = await stepsOf();
    expect(nextStep).toBe('preflight');
    expect(steps[0]).toEqual({
      name: 'preflight',
      state: 'failed',
      detail: 'Not met: Vendor’s package.',
    });
  });
});

it('shows the progress of the copy, and leaves nothing of a cancelled one', async () => {
  at = await ManagerWorld.start({ begins: 'empty', pace: 0.1 });
  const request = { drive: 'D', memoryGB: 20, networkMode: 'default' };
  const { body: operation } = await at.post('/api/setup/import', request);
  const path = `/api/operations/${operation.id}`;
  const percent = await until(async () => {
    const { body } = await at.get(path);
    return (body.steps as { percent?: number }[]).find((step) => (step.percent ?? 0) > 0)?.percent;
  }, 'progress');
  expect(percent % 10).toBe(0);
  expect((await at.post(`${path}/cancel`)).status).toBe(202);
  const { state, result } = await at.end(operation);
  expect({ state, summary: result?.summary }).toEqual({
    state: 'cancelled',
    summary: 'Import again: it resumes with the missing parts.',
  });
  expect({ folders: [...at.world.host.folders.keys()], vm: at.world.host.vm }).toEqual({
    folders: [],
    vm: undefined,
  });
  expect(await at.done('/api/setup/import', request)).toMatchObject({ state: 'succeeded' });
});

describe('a bootstrap', () => {
  it('replies to packages that ask for the address of players first', async () => {
    at = await ManagerWorld.start({ begins: 'imported' });
    at.world.setup.order = ['ip', 'world', 'region', 'token'];
    at.world.setup.regions = ['Europe Test', 'South America'];
    const request = { ...bootstrap, region: 'southAmerica', playerIp: '203.0.113.8' };
    expect(await at.done('/api/setup/bootstrap', request)).toMatchObject({ state: 'succeeded' });
    expect(at.world.setupInputs).toMatchObject({ ip: '203.0.113.8', region: 'South America' });
    const again = await at.post('/api/setup/bootstrap', bootstrap);
    expect(again.body.code).toBe('battlegroup_exists');
    expect((await at.post('/api/setup/repair', bootstrap)).body.code).toBe('battlegroup_exists');
  });

  it('fails for a region that the package does not have', async () => {
    at = await ManagerWorld.start({ begins: 'imported' });
    at.world.setup.regions = ['Europe Test', 'North America Test'];
    const { state, problem } = await at.done('/api/setup/bootstrap', bootstrap);
    expect({ state, code: problem?.code }).toEqual({ state: 'failed', code: 'guest_failed' });
    expect(problem?.detail).toContain('the region');
  });

  it('that stops halfway leaves an empty namespace, which a repair deletes before the next run', async () => {
    at = await ManagerWorld.start({ begins: 'imported' });
    at.world.setup.failsAfterNamespace = true;
    const failed = await at.done('/api/setup/bootstrap', bootstrap);
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'guest_failed' } });
    expect(await at.status()).toMatchObject({ needsBootstrap: true, battlegroup: null });
    expect((await at.get('/api/setup')).body).toMatchObject({
      nextStep: 'security',
      needsRepair: true,
      steps: expect.arrayContaining([expect.objectContaining({ name: 'bootstrap', state: 'failed' })]),
    });
    at.world.setup.failsAfterNamespace = false;
    const repaired = await at.done('/api/setup/repair', bootstrap);
    expect(repaired.state).toBe('succeeded');
    const [deleted, waited] = repaired.steps;
    expect(deleted?.name).toMatch(/^Delete funcom-seabass-/);
    expect(waited).toMatchObject({ name: 'Wait until they are gone', state: 'succeeded' });
    expect(await at.status()).toMatchObject({ needsBootstrap: false });
  });

  it('is rejected for an invalid token, name, region and address', async () => {
    at = await ManagerWorld.start({ begins: 'empty' });
    for (const [code, change] of [
      ['invalid_token', { token: 'eyJhIjoxfQ.eyJiIjoyfQ.signature' }],
      ['validation_failed', { token: 'short' }],
      ['validation_failed', { worldName: 'a/b' }],
      ['validation_failed', { region: 'mars' }],
      ['invalid_address', { playerIp: '999.1.1.1' }],
      ['invalid_address', { playerIp: '127.0.0.1' }],
    ] as const) {
      const { body } = await at.post('/api/setup/bootstrap', { ...bootstrap, ...change });
      expect({ change, code: body.code }).toEqual({ change, code });
    }
  });
});

describe('an import', () => {
  it('is refused for an existing machine, and without an adapter', async () => {
    at = await ManagerWorld.start({ begins: 'imported' });
    const request = { drive: 'D', memoryGB: 20, networkMode: 'default' };
    expect((await at.post('/api/setup/import', request)).body.code).toBe('vm_exists');
    const external = await at.post('/api/setup/import', { ...request, networkMode: 'external' });
    expect(external.body.code).toBe('validation_failed');
  });
});

describe('a reset', () => {
  it('is refused without the confirmation word, and changes nothing', async () => {
    at = await ManagerWorld.start();
    for (const body of [undefined, {}, { confirm: 'delete' }, { confirm: 'DELETE ' }]) {
      const { status, body: problem } = await at.post('/api/setup/reset', body);
      expect({ status, code: problem.code }).toEqual({ status: 422, code: 'confirmation_needed' });
    }
    expect(at.world.host.vm?.state).toBe('Running');
    expect(at.world.host.calls).not.toContain('remove-vm');
    expect((await at.get('/api/operations')).body.data).toEqual([]);
  });

  it('removes everything it listed, and reports what remains', async () => {
    at = await ManagerWorld.start();
    await at.done('/api/battlegroup/start');
    at.world.host.folders.set('E:\\DuneAwakeningServer', 3);
    at.world.host.lockedFolders.add('E:\\DuneAwakeningServer');
    const { items } = (await at.get('/api/setup/reset')).body;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'vm',
      'folder',
      'folder',
      'key',
      'key',
      'cache',
    ]);
    const { state, result } = await at.done('/api/setup/reset', { confirm: 'DELETE' });
    expect(state).toBe('succeeded');
    expect(at.world.commands).toEqual(['start', 'stop']);
    expect(result?.removed?.map(({ kind }) => kind)).toEqual([
      'battlegroup',
      'vm',
      'folder',
      'key',
      'key',
      'cache',
    ]);
    expect(result?.remaining).toEqual([
      { kind: 'folder', name: 'E:\\DuneAwakeningServer', detail: expect.stringContaining('being used') },
    ]);
    expect(result?.preflight).toMatchObject({ vmExists: false });
    expect(at.world.host.vm).toBeUndefined();
    expect(existsSync(at.world.keyFile)).toBe(false);
    expect(existsSync(join(at.home, 'keys/sshKey'))).toBe(false);
    expect(existsSync(join(at.home, 'known_hosts'))).toBe(false);
    expect((await at.get('/api/setup')).body).toMatchObject({ nextStep: 'import' });
  });
});
