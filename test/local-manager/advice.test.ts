// The manager's advice for requests that cannot work, and the fresh start.
import { readFileSync, writeFileSync } from 'node:fs';
import { refusal } from '../../local-manager/src/refusals.ts';
import { Preflight } from '../../local-manager/src/setup/preflight.ts';
import type { VmReader } from '../../local-manager/src/vm/vm-reader.ts';
import { keygen } from '../../local-manager/stand-ins/guest.ts';
import { StandInWorld } from '../../local-manager/stand-ins/world.ts';
import { ManagerWorld } from './support/manager.ts';
import { bootstrapRequest, importRequest } from './support/requests.ts';

const wholeWizardMs = 240_000;

let at: ManagerWorld;

beforeAll(async () => {
  at = await ManagerWorld.start({ begins: 'empty' });
});

afterAll(() => at.stop());

it.each(['security', 'network', 'import', 'bootstrap', 'repair'])(
  'setup/%s is rejected without a body',
  async (step) => {
    const { status, body } = await at.post(`/api/setup/${step}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'validation_failed' });
  },
);

it.each([
  [{ drive: 'C' }, '/drive', 'Drive C has 80 GB free; more than 100 GB are needed.'],
  [{ drive: 'Z' }, '/drive', 'This host has no drive Z.'],
  [{ networkMode: 'external', nicName: 'Nope' }, '/nicName', 'No connected network adapter is called Nope.'],
])('an import with %j is rejected before anything is copied', async (change, pointer, detail) => {
  const { status, body } = await at.post('/api/setup/import', { ...importRequest, ...change });
  expect({ status, ...body }).toMatchObject({
    ...{ status: 422, code: 'invalid_setting', detail },
    errors: [{ in: 'body', pointer, detail }],
  });
  expect(at.world.host.calls).not.toContain('import-vm');
});

it(
  'starting fresh recovers a locked-out machine',
  async () => {
    for (let turns = 0; turns < 2; turns += 1) {
      expect(await at.done('/api/setup/import', importRequest)).toMatchObject({ state: 'succeeded' });
      expect(await at.status()).toMatchObject({ ssh: { state: 'ready' }, needsBootstrap: true });
      const request = { newPassword: 'a long and unguessable sentence', rotateKey: true };
      expect(await at.done('/api/setup/security', request)).toMatchObject({ state: 'succeeded' });
      expect(await at.done('/api/setup/bootstrap', bootstrapRequest)).toMatchObject({ state: 'succeeded' });
      if (turns === 0) await at.done('/api/setup/reset', { confirm: 'DELETE' });
    }
  },
  wholeWizardMs,
);

it('facts that Windows was not asked about are neither wrong nor right', async () => {
  const silent = async () => {
    throw refusal('hyperv_unavailable', 'Windows PowerShell cannot be started.');
  };
  const preflight = new Preflight({ run: silent }, { now: silent } as unknown as VmReader);
  const { isReady, checks } = await preflight.get();
  expect(isReady).toBe(false);
  expect(checks.filter(({ state }) => state === 'failed').map(({ name }) => name)).toEqual([
    'Hyper-V',
    'Windows PowerShell',
  ]);
  const others = checks.filter(({ state }) => state !== 'failed');
  expect(others).toHaveLength(6);
  for (const check of others)
    expect(check).toMatchObject({ state: 'warning', detail: 'Windows could not be queried.' });
});

it('a simulated world does not start with more memory than its host has', async () => {
  const world = await StandInWorld.start({ begins: 'imported', memoryUsedGB: 60 });
  expect({ state: world.host.vm?.state, freeGB: world.host.freeGB }).toEqual({ state: 'Off', freeGB: 4 });
  await world.stop();
});

describe('a key that is not accepted', () => {
  let key: string;

  beforeAll(() => (key = readFileSync(at.world.keyFile, 'utf8')));

  afterEach(() => writeFileSync(at.world.keyFile, key));

  it.each(['', 'this is a recipe'])(
    'is reported with its real problem where the file has %j',
    async (text) => {
      writeFileSync(at.world.keyFile, text);
      expect((await at.status()).ssh).toMatchObject({
        state: 'keyMissing',
        detail: expect.stringContaining(at.world.keyFile),
      });
      const { body } = await at.post('/api/battlegroup/start');
      expect(body).toMatchObject({
        code: 'ssh_key_missing',
        detail: expect.stringContaining('not an SSH key'),
      });
    },
  );

  it("is named by the path that people change, not by the manager's copy", async () => {
    keygen(at.world.keyFile);
    expect((await at.status()).ssh).toMatchObject({
      state: 'keyRejected',
      detail: `The virtual machine does not accept ${at.world.keyFile}.`,
    });
    keygen(at.world.keyFile, 'a passphrase');
    expect((await at.status()).ssh).toMatchObject({
      state: 'passphrase',
      detail: `${at.world.keyFile} has a passphrase. Remove it with ssh-keygen -p.`,
    });
  });
});
