// Every operation of the agent that takes a path, and every hostile path there is: none changes or reveals anything.
import { createHash, randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from '../../agent/src/messages.ts';
import { hostilePaths, hostilePlaces } from '../support/hostile-paths.ts';
import { zipped } from '../support/zip-files.ts';
import { Stage } from './support/agent.ts';
import { sourceOf } from './support/plugins.ts';

type Request = Partial<Schemas['FileRequest']>;
/** `ok`, or why not. */
type Attempt = (path: string) => Promise<string>;

let stage: Stage;
let root: string;
let outside: string;

beforeAll(async () => {
  stage = await Stage.open();
  root = join(stage.agent.directory, 'root');
  outside = join(stage.agent.directory, 'outside');
  mkdirSync(root);
  stage.agent.configure([{ root, cwd: root }]);
  await stage.startAgent();
});
afterAll(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

beforeEach(async () => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [root, outside, join(root, 'oxide/plugins'), join(root, 'maps')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(outside, 'secret'), 'secret');
  writeFileSync(join(root, 'victim'), 'victim');
  writeFileSync(join(root, 'victim.zip'), await zipped('victim', 'victim'));
});

async function ask(verb: string, question: Request): Promise<Schemas['FileReply']> {
  const whole = { v: 1, host_id: stage.platform.hostId, instance: 'main', ...question };
  return stage.platform.request('FileReply', `ask.file-${verb}`, whole);
}

const asking =
  (verb: string, question: (path: string) => Request): Attempt =>
  async (path) => {
    const { ok, error, transfer } = await ask(verb, question(path));
    if (transfer !== undefined) await ask('end', { transfer });
    return ok ? 'ok' : (error?.code ?? '');
  };

const commanding =
  (verb: Schemas['CommandVerb'], args: (path: string) => object): Attempt =>
  async (path) => {
    const command = stage.platform.command(verb, 'main', { args: { ...args(path) } });
    const reply = await stage.platform.send(command);
    if (!reply.accepted) return reply.reason ?? '';
    const { status, error_code } = await stage.platform.resultOf(command.id);
    return status === 'succeeded' ? 'ok' : (error_code ?? '');
  };

const data = Buffer.from('hostile').toString('base64');
const by = 'owner@example.com';
const sha256 = createHash('sha256').update('hostile').digest('hex');
const map = (file_name: string) => ({
  map: { map_id: randomUUID(), url: 'http://127.0.0.1:9/', sha256, bytes: 7, file_name },
});

/** What takes a path below the root. */
const ofPaths: Record<string, Attempt> = {
  list: asking('list', (path) => ({ path, limit: 10 })),
  stat: asking('stat', (path) => ({ path })),
  read: asking('read', (path) => ({ path })),
  write: asking('write', (path) => ({ path, data })),
  'make-directory': asking('make-directory', (path) => ({ path })),
  'rename from': asking('rename', (path) => ({ path, new_path: 'renamed', overwrite: true })),
  'rename to': asking('rename', (path) => ({ path: 'victim', new_path: path, overwrite: true })),
  delete: asking('delete', (path) => ({ path, recursive: true })),
  download: asking('download', (path) => ({ path })),
  upload: asking('upload', (path) => ({ path, overwrite: true })),
  'zip of': commanding('zip_files', (path) => ({ paths: ['victim', path], archive_path: 'all.zip' })),
  'zip to': commanding('zip_files', (path) => ({ paths: ['victim'], archive_path: path })),
  'unzip of': commanding('unzip_file', (path) => ({ archive_path: path, path: 'there', overwrite: true })),
  'unzip to': commanding('unzip_file', (path) => ({ archive_path: 'victim.zip', path, overwrite: true })),
  'backup of': commanding('create_backup', (path) => ({ kind: 'manual', paths: ['victim', path] })),
};

/** What takes the name of a file in a known folder. */
const ofNames: Record<string, Attempt> = {
  'upload of a plugin': asking('upload-plugin', (plugin) => ({ plugin, overwrite: true })),
  'installation of a plugin': commanding('install_plugin', (plugin) => ({
    plugin,
    upload: randomUUID(),
    sha256,
    overwrite: true,
    by,
  })),
  'removal of a plugin': commanding('uninstall_plugin', (plugin) => ({ plugin, by })),
  'deployment of a map': commanding('deploy_map', map),
  'removal of a map': commanding('remove_map', (file_name) => ({ file_name })),
  'wipe onto a map': commanding('wipe', (file_name) => ({ kind: 'map', ...map(file_name) })),
};

/** Everything below both directories; what a refused command may have made on its way does not count. */
function snapshot(): string {
  const found = execFileSync('find', [root, outside, '-printf', '%P %y %s %l\n']).toString();
  return found.replace(/^(?:there|all\.zip) .*\n/gm, '');
}

/** Fewer than the transfers that an agent carries. */
const atOnce = 8;
/** A plugin of which no source has come is not installed under any name. */
const refusals = ['invalid', 'refused', 'files_refused', 'map_not_fetched', 'plugin_not_found'];

describe.each(Object.entries({ ...ofPaths, ...ofNames }))('%s', (_what, attempt) => {
  it('takes no hostile path', async () => {
    const before = snapshot();
    const results: (readonly [string, string])[] = [];
    for (let from = 0; from < hostilePaths.length; from += atOnce) {
      const some = hostilePaths.slice(from, from + atOnce);
      results.push(...(await Promise.all(some.map(async (path) => [path, await attempt(path)] as const))));
    }
    expect(results.filter(([, result]) => !refusals.includes(result))).toEqual([]);
    expect(snapshot()).toBe(before);
  });
});

/** These look at a name, or take it away, without going where it leads. */
const ofTheNameItself = ['stat', 'delete', 'rename from'];
/** What is neither file nor directory is not there for a backup; a map is another file, wherever it is. */
const notThere = ['backup of'];

describe.each(Object.entries(ofPaths))('%s', (what, attempt) => {
  it.each(Object.entries(hostilePlaces))(
    'is not taken in by %s',
    async (_place, { path, isOnTheWay, make }) => {
      make(root, outside);
      const before = snapshot();
      const result = await attempt(path);
      if (!isOnTheWay && ofTheNameItself.includes(what)) expect(result).toBe('ok');
      else if (!isOnTheWay && notThere.includes(what)) expect(result).toBe('ok');
      else {
        expect([...refusals, 'wrong_type', 'exists']).toContain(result);
        expect(snapshot()).toBe(before);
      }
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    },
  );
});

describe.each(['oxide/plugins', 'maps'])('a link in the place of the folder %s', (folder) => {
  it('is never followed', async () => {
    rmSync(join(root, folder), { recursive: true });
    symlinkSync(outside, join(root, folder));
    writeFileSync(join(outside, 'Kits.cs'), sourceOf('Kits'));
    writeFileSync(join(outside, 'islands.map'), 'islands');
    const before = snapshot();
    const attempts =
      folder === 'maps' ? ['deployment of a map', 'removal of a map'] : ['removal of a plugin'];
    for (const what of attempts) {
      const result = await ofNames[what]?.(folder === 'maps' ? 'islands.map' : 'Kits');
      expect([what, result]).toEqual([what, 'files_refused']);
    }
    expect(snapshot()).toBe(before);
  });
});

it('a directory that is swapped for a link all the time leads nowhere', async () => {
  mkdirSync(join(root, 'swapped'));
  writeFileSync(join(root, 'swapped/secret'), 'harmless');
  let isOver = false;
  const place = join(root, 'swapped');
  /** The agent may have made a directory there meanwhile. */
  const insist = (put: () => void) => {
    for (;;)
      try {
        put();
        return;
      } catch {
        rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 1 });
      }
  };
  const swapping = (async () => {
    while (!isOver) {
      renameSync(place, join(root, 'aside'));
      insist(() => symlinkSync(outside, place));
      await new Promise(setImmediate);
      rmSync(place);
      insist(() => renameSync(join(root, 'aside'), place));
      await new Promise(setImmediate);
    }
  })();
  for (let round = 0; round < 150; round += 1) {
    const { data: seen = '' } = await ask('read', { path: 'swapped/secret' });
    expect(Buffer.from(seen, 'base64').toString()).not.toBe('secret');
    await Promise.all(
      ['write', 'upload', 'make-directory', 'rename to'].map(async (what) =>
        ofPaths[what]?.(`swapped/${what.replace(' ', '-')}`),
      ),
    );
    await ofPaths['delete']?.('swapped/gone');
    writeFileSync(join(root, 'victim'), 'victim');
  }
  const commands = ['zip to', 'unzip to', 'backup of'];
  for (let round = 0; round < 15; round += 1)
    await Promise.all(
      commands.map(async (what) => ofPaths[what]?.(`swapped/${what.replace(' ', '-')}-${round}`)),
    );
  isOver = true;
  await swapping;
  expect(readdirSync(outside)).toEqual(['secret']);
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
});
