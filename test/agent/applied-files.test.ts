// Files of plugins at the agent: written and loaded, or all restored, at every point of failure.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from '../../agent/src/messages.ts';
import { pluginSource, type PluginHabits } from '../support/plugin-host.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { PluginFileSender, sha256 } from './support/plugin-files.ts';
import { rustInstance, withFramework } from './support/rust-instance.ts';

let stage: Stage;
/** Beside servers that run, and one that does not. */
let servers: Record<'oxide' | 'carbon' | 'resting', PluginFileSender>;

beforeAll(async () => {
  stage = await Stage.open();
  servers = {
    oxide: new PluginFileSender(stage, 'oxide'),
    carbon: new PluginFileSender(stage, 'carbon', 'carbon'),
    resting: new PluginFileSender(stage, 'resting'),
  };
  const frameworks = { oxide: 'oxide', carbon: 'carbon', resting: 'oxide' } as const;
  const instances = Object.entries(frameworks).map(async ([name, framework]) => {
    const cwd = join(stage.agent.directory, name);
    mkdirSync(join(cwd, framework), { recursive: true });
    return rustInstance(stage.agent, withFramework(framework), { name, cwd });
  });
  stage.agent.configure(await Promise.all(instances));
  await stage.startAgent();
  await Promise.all(
    (['oxide', 'carbon'] as const).map(async (name) => {
      await stage.platform.run('start', name);
      await stage.platform.untilLine('RCON is connected', name);
    }),
  );
});

afterEach(() => {
  expect(stage.platform.violations).toEqual([]);
});

afterAll(() => stage.close());

const config = 'config/Toy.json';
const data = 'data/Toy/Things.json';
const own = 'data/Toy.json';
const recordOf = ({ storeDirectory }: PluginFileSender) =>
  JSON.parse(readFileSync(join(storeDirectory, 'record.json'), 'utf8')) as Record<string, unknown>;
let round = 0;

/** A plugin with these files and no others; a running server takes notice of it when it is next asked. */
function prepare(
  files: PluginFileSender,
  present: Record<string, string> = { [config]: '{"speed": 1}' },
  habits: PluginHabits = { reads: ['Toy/Things'] },
): void {
  for (const file of [config, data, own]) files.remove(file);
  for (const [file, text] of Object.entries(present)) files.write(file, text);
  files.write('plugins/Toy.cs', `${pluginSource('Toy', habits)}// ${(round += 1)}\n`);
}

/** Waits until the server has loaded the plugin with the files that are there. */
const untilLoaded = ({ instance }: PluginFileSender) =>
  until(async () => {
    const question = { v: 1, host_id: stage.platform.hostId, instance };
    const { plugins = [] } = await stage.platform.request('PluginsReply', 'ask.plugins', question);
    return plugins.some(({ name, state }) => name === 'Toy' && state === 'loaded');
  }, 'the plugin');

describe.each(['oxide', 'carbon'] as const)('with %s', (framework) => {
  it('are written where the framework has them, and the plugin is reloaded', async () => {
    const files = servers[framework];
    prepare(files);
    const contents = { [config]: '{"speed": 2}', [data]: '[1]' };
    expect(await files.apply(contents)).toMatchObject({
      status: 'succeeded',
      detail: '2 files are written. Toy 1.0.0 is loaded.',
    });
    expect([files.read(config), files.read(data)]).toEqual(['{"speed": 2}', '[1]']);
    const line = `${framework === 'carbon' ? 'c' : 'oxide'}.reload Toy`;
    expect(await stage.platform.untilLine(line, framework)).toMatchObject({
      stream: 'input',
      by: 'owner@example.com',
    });
    expect(readdirSync(files.storeDirectory).filter((name) => name.startsWith('upload-'))).toEqual([]);
    expect(recordOf(files)).toMatchObject({ phase: 'over' });
  });
});

describe('files that the plugin cannot read', () => {
  it('are all taken back, and the plugin is loaded with the former ones', async () => {
    const files = servers.oxide;
    prepare(files);
    expect(await files.apply({ [config]: '{"speed": 2}', [data]: '{ broken' })).toMatchObject({
      status: 'failed',
      error_code: 'plugin_failed',
      detail: expect.stringMatching(
        /^Toy did not load with oxide\/config\/Toy\.json, oxide\/data\/Toy\/Things\.json: .*JsonReaderException.*\. Now the former files are back, and Toy is loaded with them\.$/s,
      ),
    });
    expect([files.read(config), files.read(data)]).toEqual(['{"speed": 1}', null]);
  });
});

describe('files that are not what they were', () => {
  it('are left as they are', async () => {
    const files = servers.oxide;
    prepare(files);
    const command = await files.command({ [config]: '{"speed": 2}', [data]: '[1]' });
    files.write(config, '{"speed": 3}');
    expect(await files.send(command)).toMatchObject({ status: 'failed', error_code: 'files_changed' });
    expect([files.read(config), files.read(data)]).toEqual(['{"speed": 3}', null]);
  });
});

describe('a plugin that writes its files while it unloads', () => {
  const habits = { reads: ['Toy'], saves: ['Toy'] };

  it('is unloaded first, and so does not write over what is new', async () => {
    const files = servers.oxide;
    prepare(files, { [own]: '["old"]' }, habits);
    await untilLoaded(files);
    // Reloaded alone, it would write back what it has in memory.
    expect(await files.apply({ [own]: '["lost"]' })).toMatchObject({
      status: 'succeeded',
      detail: expect.stringContaining('was rewritten by the plugin'),
    });
    expect(files.read(own)).toBe('["old"]');
    expect(await files.apply({ [own]: '["new"]' }, { is_unloaded_first: true })).toMatchObject({
      status: 'succeeded',
      detail: '1 file is written. Toy 1.0.0 is loaded.',
    });
    expect(files.read(own)).toBe('["new"]');
  });

  it('is loaded again when its files turn out to be others then', async () => {
    const files = servers.oxide;
    prepare(files, { [own]: '["old"]' }, habits);
    await untilLoaded(files);
    files.write(own, '["edited while it runs"]');
    expect(await files.apply({ [own]: '["new"]' }, { is_unloaded_first: true })).toMatchObject({
      status: 'failed',
      error_code: 'files_changed',
    });
    expect(files.read(own)).toBe('["old"]');
    expect(recordOf(files)).toMatchObject({ unloaded: ['Toy'], phase: 'over' });
    await untilLoaded(files);
  });
});

describe('a server that does not run', () => {
  it('reads them when it starts', async () => {
    prepare(servers.resting);
    expect(await servers.resting.apply({ [config]: '{"speed": 2}' })).toMatchObject({
      status: 'succeeded',
      detail: '1 file is written. The next start reads them.',
    });
  });
});

describe('an agent that was killed', () => {
  const reading = { reads: ['Toy/Things'] };

  interface Left {
    phase: 'writing' | 'loading' | 'taking_back';
    /** What of it is in place. */
    present: Record<string, string>;
    outcome?: object;
  }

  /** Leaves a command as an agent does that is killed at that point of it, and starts the next agent. */
  async function next(
    files: PluginFileSender,
    { phase, present, outcome }: Left,
    other?: Schemas['CommandEnvelope'],
  ): Promise<string> {
    prepare(files, { [config]: '{"speed": 1}' }, reading);
    const command = other ?? (await files.command({ [config]: '{"speed": 2}', [data]: '[1]' }));
    await stage.agent.end('SIGKILL');
    const lines = [
      { is: 'accepted', at: Date.now(), command },
      { is: 'started', at: Date.now(), id: command.id },
    ];
    writeFileSync(
      join(stage.agent.stateDirectory, 'journal.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    for (const name of readdirSync(files.storeDirectory))
      if (name.startsWith('former-')) rmSync(join(files.storeDirectory, name));
    writeFileSync(join(files.storeDirectory, `former-${command.id}-0`), '{"speed": 1}');
    const record = {
      id: command.id,
      phase,
      files: [
        { path: 'oxide/config/Toy.json', sha256: sha256('{"speed": 2}'), present: sha256('{"speed": 1}') },
        { path: 'oxide/data/Toy/Things.json', sha256: sha256('[1]'), present: null },
      ],
      plugins: ['Toy'],
      unloaded: [],
      outcome,
    };
    writeFileSync(join(files.storeDirectory, 'record.json'), JSON.stringify(record));
    for (const [file, text] of Object.entries(present)) files.write(file, text);
    await stage.startAgent();
    return command.id;
  }

  const former = { [config]: '{"speed": 1}', [data]: null };
  const written = { [config]: '{"speed": 2}', [data]: '[1]' };
  const edited = { [config]: '{"speed": 9}', [data]: '[1]' };

  it.each<[string, Left, Record<string, string | null>, Partial<Schemas['CommandResult']>]>([
    [
      'while it wrote takes back what it has written',
      { phase: 'writing', present: written },
      former,
      {
        status: 'failed',
        error_code: 'interrupted',
        detail: 'The agent was interrupted; the former files are back.',
      },
    ],
    [
      'while it wrote leaves what another process has written since',
      { phase: 'writing', present: edited },
      { [config]: '{"speed": 9}', [data]: null },
      {
        status: 'failed',
        error_code: 'interrupted',
        detail: 'The agent was interrupted; oxide/config/Toy.json had changed and was left.',
      },
    ],
    [
      'once all was written leaves it to the next start of the server',
      { phase: 'loading', present: written },
      written,
      {
        status: 'succeeded',
        detail: '2 files are written. The next start reads them.',
        is_loaded: false,
      },
    ],
    [
      'while it took back takes back the rest, also what the plugin has made of it',
      {
        phase: 'taking_back',
        present: edited,
        outcome: { isSuccess: false, errorCode: 'plugin_failed', detail: 'It cannot be read.' },
      },
      former,
      {
        status: 'failed',
        error_code: 'plugin_failed',
        detail: 'It cannot be read. Now the former files are back.',
      },
    ],
  ])('%s', async (_, left, after, result) => {
    const files = servers.resting;
    const id = await next(files, left);
    expect(await stage.platform.resultOf(id)).toMatchObject(result);
    expect({ [config]: files.read(config), [data]: files.read(data) }).toEqual(after);
    expect(recordOf(files)).toMatchObject({ id, phase: 'over' });
  });

  it('replies for an instance that is no longer configured', async () => {
    const command = await servers.resting.command({ [config]: '{"speed": 2}' });
    const id = await next(
      servers.resting,
      { phase: 'writing', present: written },
      { ...command, instance: 'gone' },
    );
    expect(await stage.platform.resultOf(id)).toMatchObject({
      status: 'failed',
      error_code: 'interrupted',
      detail: expect.stringContaining('gone from the configuration'),
    });
  });

  it('has what comes next wait until it was seen to', async () => {
    const files = servers.oxide;
    const id = await next(files, { phase: 'loading', present: written });
    expect(await files.apply({ [config]: '{"speed": 3}' })).toMatchObject({ status: 'succeeded' });
    expect(await stage.platform.resultOf(id)).toMatchObject({
      status: 'succeeded',
      detail: '2 files are written. Toy 1.0.0 is loaded.',
    });
    expect(files.read(config)).toBe('{"speed": 3}');
    expect(recordOf(files)).toMatchObject({ phase: 'over' });
    expect(recordOf(files)['id']).not.toBe(id);
  });
});

describe('what the platform asks of files of plugins', () => {
  it('leads nowhere else', async () => {
    const files = servers.resting;
    prepare(files);
    for (const plugin_file of [
      'config/../../state/agent.nk',
      'plugins/Toy.cs',
      'config//Toy.json',
      '/config/Toy.json',
    ])
      expect([plugin_file, await files.ask('download', { plugin_file })]).toMatchObject([
        plugin_file,
        { ok: false, error: { code: 'invalid' } },
      ]);
    expect(await files.ask('download', { plugin_file: config })).toMatchObject({
      ok: true,
      path: 'oxide/config/Toy.json',
    });
    expect(await files.ask('download', { plugin_file: 'config/Other.json' })).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(existsSync(files.storeDirectory)).toBe(true);
  });
});
