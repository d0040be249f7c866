// The files of plugins as a class: no version is lost without a copy, even while other processes write there.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Messages } from '../../agent/src/messages.ts';
import { PluginFiles } from '../../agent/src/plugins/installed-files.ts';
import { PluginStore } from '../../agent/src/plugins/plugin-store.ts';
import { openFiles } from './support/backups.ts';

const id = '0199a1f0-6c1e-7a44-9d0e-000000000001';

let directory: string;
let store: PluginStore;
let plugins: PluginFiles;

const place = () => join(directory, 'root/plugins/Kits.cs');
const present = () => readFileSync(place(), 'utf8');

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-plugin-files-'));
  mkdirSync(join(directory, 'root/plugins'), { recursive: true });
  writeFileSync(place(), 'first');
  store = new PluginStore(join(directory, 'store'), new Messages(), pino({ level: 'silent' }));
  plugins = new PluginFiles(openFiles(directory), store, 'plugins');
});

afterEach(() => rmSync(directory, { recursive: true }));

it('a plugin that changes after it was copied is not removed', async () => {
  const first = Buffer.from('first');
  await plugins.keep('Kits', first, id);
  writeFileSync(place(), 'second');
  await expect(plugins.remove('Kits', first, id)).rejects.toMatchObject({ code: 'changed' });
  expect(present()).toBe('second');
  expect(await store.copies(Date.now())).toEqual([]);
});

it('a plugin that changes while it is copied is not replaced', async () => {
  const keep = store.keep.bind(store);
  store.keep = async (...args) => {
    await keep(...args);
    writeFileSync(place(), 'second');
  };
  const placing = plugins.place('Kits', Buffer.from('third'), true, id);
  await expect(placing).rejects.toMatchObject({ code: 'changed' });
  expect(present()).toBe('second');
  expect(readdirSync(join(directory, 'root/plugins'))).toEqual(['Kits.cs']);
});

it('a plugin that does not change is replaced and removed, each time with a copy', async () => {
  await plugins.place('Kits', Buffer.from('second'), true, id);
  expect(present()).toBe('second');
  expect((await store.copy(id))?.source.toString()).toBe('first');
  await plugins.remove('Kits', Buffer.from('second'), id);
  expect(readdirSync(join(directory, 'root/plugins'))).toEqual([]);
});

it.each([false, true])(
  'a plugin whose name differs in case only is not put beside it, replacing %s',
  async (isReplacing) => {
    const placing = plugins.place('kits', Buffer.from('second'), isReplacing, id);
    await expect(placing).rejects.toMatchObject({
      code: 'exists',
      message: expect.stringContaining('Kits.cs'),
    });
    expect(readdirSync(join(directory, 'root/plugins'))).toEqual(['Kits.cs']);
  },
);

it('a file that is too large for a plugin is refused', async () => {
  truncateSync(place(), 2 ** 40);
  await expect(plugins.read('Kits')).rejects.toMatchObject({ code: 'too_large' });
});
