// The file of the automation: changes that overlap, and changes that cannot be written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutomationStore } from '../../local-manager/src/automation/automation-store.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-automation-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keeping = (keepBackups: number) => (store: AutomationStore) =>
  store.change(({ settings }) => ({ settings: { ...settings, keepBackups } }));

it('keeps nothing of overlapping changes that cannot be written', async () => {
  const home = join(folder, 'home');
  // No directory can be made where a file is.
  writeFileSync(home, '');
  const store = new AutomationStore(home);
  const before = store.content;
  const both = [keeping(99)(store), store.change(() => ({ settledAt: { nightly: '2026-11-27T04:30:00Z' } }))];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(store.content).toEqual(before);

  rmSync(home);
  await store.change(() => ({ restartedAt: ['2026-11-27T05:00:00Z'] }));
  const again = new AutomationStore(home);
  await again.load();
  expect(again.content).toEqual({ ...before, restartedAt: ['2026-11-27T05:00:00Z'] });
});

it('computes each change from the one before, also from none that failed', async () => {
  const home = join(folder, 'home');
  writeFileSync(home, '');
  const store = new AutomationStore(home);
  const failing = keeping(99)(store);
  const next = store.change(({ settings }) => {
    rmSync(home);
    return { settings: { ...settings, addressWatch: { mode: 'warn' } } };
  });
  const last = store.change(({ settings }) => ({
    settings: { ...settings, keepBackups: settings.keepBackups + 1 },
  }));
  await expect(failing).rejects.toThrow();
  await Promise.all([next, last]);
  const again = new AutomationStore(home);
  await again.load();
  expect(again.content.settings).toMatchObject({ keepBackups: 15, addressWatch: { mode: 'warn' } });
});
