// Wipes in the agent: which files are selected, start parameters, announcements and new saves.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import type { InstanceConfig } from '../../agent/src/config.ts';
import { Folder } from '../../agent/src/instance-files/folder.ts';
import { InstanceFiles } from '../../agent/src/instance-files/instance-files.ts';
import { OwnPaths } from '../../agent/src/instance-files/own-paths.ts';
import {
  argumentsWith,
  changedSettings,
  launchParametersOf,
} from '../../agent/src/supervisor/launch-settings.ts';
import { announcementsOf, inWords } from '../../agent/src/wipes/announcements.ts';
import { isNewSave } from '../../agent/src/wipes/game-server.ts';
import { SaveFolder } from '../../agent/src/wipes/save-folder.ts';
import type { WipeParts } from '../../agent/src/wipes/wipe.ts';
import { newRecord } from '../../agent/src/wipes/wipe-record.ts';
import { Wipe } from '../../agent/src/wipes/wipe.ts';

const kinds = ['map', 'blueprints', 'full'] as const;
const kept = [
  'player.tokens.db',
  'player.tokens.db-wal',
  'companion.id',
  'Log.Death.txt',
  'cfg',
  'server.cfg',
];
const ofMap = [
  'proceduralmap.3500.1337.262.map',
  'islands.map',
  'proceduralmap.3500.1337.262.sav',
  'proceduralmap.3500.1337.262.sav.1',
  'proceduralmap.3500.1337.262.sav.12',
  'player.states.5.db',
  'player.states.5.db-wal',
  'player.states.12.db-shm',
  'player.deaths.5.db',
  'sv.files.0.db-journal',
];
const ofBlueprints = ['player.blueprints.5.db', 'player.blueprints.6.db-wal'];
const ofPeople = ['player.identities.5.db', 'relationship.5.db', 'clans.5.db-wal'];
const chosen = { map: ofMap, blueprints: ofBlueprints, full: [...ofMap, ...ofBlueprints, ...ofPeople] };
const near = [
  '.map',
  '.sav',
  'a.map.bak',
  'a.sav.new',
  'player.states.db',
  'player.states.x.db',
  'player.states.5.db.bak',
  'xplayer.states.5.db',
  'player.blueprints.5.dbx',
  'sv.files.5.db-wal2',
  'clans.5.db\n',
];

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-wipes-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function saveFolder(args: string[] = ['+server.identity', 'main']): SaveFolder {
  const files = new InstanceFiles({
    root,
    own: new OwnPaths([]),
    temporaryDirectory: join(root, 'temporary'),
    log: pino({ level: 'silent' }),
  });
  return SaveFolder.of({ args, cwd: root, root } as InstanceConfig, files);
}

const at = (...names: string[]) => join(root, 'server', 'main', ...names);

const someName = fc.oneof(
  fc.constantFrom(...kept, ...chosen.full, ...near),
  fc.stringMatching(/^[a-z0-9.-]{1,30}$/).filter((name) => !/^\.+$/.test(name)),
);
const someEntry = fc.record({ name: someName, kind: fc.constantFrom('file', 'file', 'directory', 'link') });

describe('the plan', () => {
  it('has all regular files of the table, and nothing else of the folder', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someEntry, { maxLength: 20 }),
        fc.constantFrom(...kinds),
        async (entries, kind) => {
          rmSync(join(root, 'server'), { recursive: true, force: true });
          mkdirSync(at(), { recursive: true });
          const unique = [...new Map(entries.map((entry) => [entry.name, entry])).values()];
          for (const entry of unique) {
            if (entry.kind === 'directory') mkdirSync(at(entry.name));
            else if (entry.kind === 'link') symlinkSync('/etc/passwd', at(entry.name));
            else writeFileSync(at(entry.name), entry.name);
          }
          const plan = await saveFolder().plan(kind);
          const names = plan.map(({ name }) => name);
          expect(names.filter((name) => kept.includes(name) || near.slice(2).includes(name))).toEqual([]);
          for (const { name, size } of plan) {
            expect(unique).toContainEqual({ name, kind: 'file' });
            expect(name).toMatch(
              /\.map$|\.sav(\.\d+)?$|^(player\.\w+|sv\.files|relationship|clans)\.\d+\.db/,
            );
            expect(size).toBe(name.length);
          }
          const due = unique.filter((entry) => entry.kind === 'file' && chosen[kind].includes(entry.name));
          for (const { name } of due) expect(names).toContain(name);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is empty without a save folder', async () => {
    expect(await saveFolder().plan('full')).toEqual([]);
  });

  it.each(['../main', 'a/b', '..', '', 'CON', 'a\\b', '.gantry-x'])(
    'is refused for the identity %j',
    (identity) => {
      expect(() => saveFolder(['+server.identity', identity])).toThrow();
    },
  );
});

describe('files that were set aside', () => {
  const names = ['a.map', 'a.sav', 'player.states.5.db'];

  beforeEach(() => {
    mkdirSync(at(), { recursive: true });
    for (const name of [...names, 'player.tokens.db']) writeFileSync(at(name), `old ${name}`);
  });

  it('are restored over their replacements, and added files are removed', async () => {
    const folder = saveFolder();
    await folder.setAside('one', names);
    await folder.setAside('one', names);
    expect(readdirSync(at()).toSorted()).toEqual(['.gantry-wipe-one', 'player.tokens.db']);
    for (const name of ['a.map', 'b.map', 'player.states.5.db-wal', 'notes.txt'])
      writeFileSync(at(name), 'new');
    expect(await folder.putBack('one', names, 'map')).toEqual([]);
    expect(readdirSync(at()).toSorted()).toEqual([...names, 'notes.txt', 'player.tokens.db'].toSorted());
    for (const name of names) expect(readFileSync(at(name), 'utf8')).toBe(`old ${name}`);
    expect(await folder.putBack('one', names, 'map')).toEqual([]);
    expect(readdirSync(at())).toHaveLength(5);
  });

  it('are reported by name when missing', async () => {
    const folder = saveFolder();
    await folder.setAside('one', names);
    rmSync(at('.gantry-wipe-one', 'a.sav'));
    expect(await folder.putBack('one', names, null)).toEqual(['a.sav']);
  });

  it('are deleted completely, and nothing else', async () => {
    const folder = saveFolder();
    await folder.setAside('one', names);
    await folder.discard('one');
    await folder.discard('one');
    expect(readdirSync(at())).toEqual(['player.tokens.db']);
  });
});

describe('start parameters', () => {
  const some = fc.record(
    { seed: fc.integer({ min: 1 }), world_size: fc.integer({ min: 1000, max: 6000 }) },
    { requiredKeys: [] },
  );
  const someArgs = fc
    .array(
      fc.constantFrom(
        ['-batchmode'],
        ['+server.seed', '7'],
        ['+Server.WorldSize', '3000'],
        ['+server.levelurl', 'https://example.com/a.map'],
        ['+server.levelurl'],
        ['+server.hostname', 'Seed +7'],
      ),
    )
    .map((parts) => parts.flat());

  it('are changed, and the other arguments stay', () => {
    fc.assert(
      fc.property(someArgs, some, (args, change) => {
        const after = launchParametersOf(argumentsWith(args, changedSettings({}, change)));
        if (change.seed !== undefined) expect(after.seed).toBe(change.seed);
        if (change.world_size !== undefined) expect(after.world_size).toBe(change.world_size);
        if (Object.keys(change).length > 0) expect(after.level_url).toBeNull();
        else expect(argumentsWith(args, {})).toEqual(args);
        const rest = (list: string[]) => list.filter((arg) => arg === '-batchmode' || arg.startsWith('Seed'));
        expect(rest(argumentsWith(args, change))).toEqual(rest(args));
      }),
    );
  });

  it('have either a downloaded map or a seed and a size', () => {
    const level_url = 'https://example.com/b.map';
    const args = ['+server.seed', '7', '-batchmode', '+server.worldsize', '3000'];
    const settings = changedSettings({ seed: 9, world_size: 4000 }, { level_url });
    expect(argumentsWith(args, settings)).toEqual(['-batchmode', '+server.levelurl', level_url]);
    expect(changedSettings(settings, { seed: 5 })).toEqual({ seed: 5 });
    expect(argumentsWith([...args, '+server.levelurl', level_url], { seed: 5 })).toEqual([
      '-batchmode',
      '+server.worldsize',
      '3000',
      '+server.seed',
      '5',
    ]);
  });
});

describe('announcements', () => {
  it('are made as the countdown begins and at the configured times that fit', () => {
    const before = (countdown_seconds: number) =>
      announcementsOf({ kind: 'map', countdown_seconds }).map(({ before_seconds }) => before_seconds);
    expect(before(0)).toEqual([]);
    expect(before(5)).toEqual([5]);
    expect(before(60)).toEqual([60, 30, 10]);
    expect(before(4000)).toEqual([4000, 3600, 1800, 900, 600, 300, 60, 30, 10]);
  });

  it('have the time at its placeholder, or after the text', () => {
    const textOf = (message: string) =>
      announcementsOf({ kind: 'map', countdown_seconds: 90, message })[0]?.text;
    expect(textOf('{time} left, $& {time}')).toBe('1 minute 30 seconds left, $& 1 minute 30 seconds');
    expect(textOf('Wipe')).toBe('Wipe (in 1 minute 30 seconds)');
    expect(inWords(3661)).toBe('1 hour 1 minute 1 second');
    expect(textOf('{time}'.repeat(50))?.length).toBe(500);
  });
});

describe('a save', () => {
  const wipedAt = Date.parse('2026-11-21T10:00:00Z');

  it.each([
    ['2026-11-21T10:00:05Z', null, true],
    ['2026-11-21T09:00:00Z', null, false],
    ['11/21/2026 10:00:05', '11/01/2026 10:00:05', true],
    ['11/21/2026 10:00:05', '11/21/2026 10:00:05', false],
    ['11/21/2026 2:00:05 AM', null, true],
    ['21.11.2026 22:00:05', null, true],
    ['01/11/2026 10:00:05', null, false],
    ['2026-11-19 10:00:05', null, false],
    ['yesterday', null, true],
    ['yesterday', 'yesterday', false],
  ])('of %s after one of %s is new: %s', (text, before, isNew) => {
    expect(isNewSave(text, before, wipedAt)).toBe(isNew);
  });
});

it('a file that is deleted after the folder was read is left out, and the others are planned', async () => {
  mkdirSync(at(), { recursive: true });
  writeFileSync(at('islands.map'), 'new');
  const { names } = Folder.prototype;
  Folder.prototype.names = async function* (this: Folder) {
    yield 'gone.map';
    yield* names.call(this);
  };
  try {
    expect(await saveFolder().plan('map')).toEqual([{ name: 'islands.map', size: 3 }]);
  } finally {
    Folder.prototype.names = names;
  }
});

describe('a finished wipe', () => {
  const id = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01';
  const request = { kind: 'map', countdown_seconds: 0, backup: false, start: false } as const;

  function overWith(parts: object): Wipe {
    const written = { file: { write: () => Promise.resolve() }, log: pino({ enabled: false }) };
    return new Wipe({ ...newRecord(id, request, {}, Date.now()), status: 'cancelled' }, {
      ...written,
      ...parts,
    } as unknown as WipeParts);
  }

  it('is cleaned up once its report is safe', async () => {
    let refusals = 2;
    const wipe = overWith({
      folder: () => ({ discard: () => Promise.resolve() }),
      report: () =>
        refusals === 0 ? Promise.resolve() : Promise.reject(new Error(`full ${(refusals -= 1)}`)),
    });
    wipe.start();
    expect(await wipe.settled()).toBe(true);
    expect(refusals).toBe(0);
  });

  it('leaves nothing hidden: an undeletable file is moved, and until then the wipe is not settled', async () => {
    let isMovable = false;
    const wipe = overWith({
      folder: () => ({
        discard: () => Promise.reject(new Error('not allowed')),
        reveal: () => (isMovable ? Promise.resolve(null) : Promise.reject(new Error('not allowed'))),
      }),
      report: () => Promise.resolve(),
    });
    wipe.start();
    expect(await wipe.settled()).toBe(false);
    isMovable = true;
    expect(await wipe.settled()).toBe(true);
  });
});
