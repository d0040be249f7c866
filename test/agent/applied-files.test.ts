// Files of plugins at the agent: written and loaded, or all as they were, whatever happens on the way.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pluginSource } from '../support/plugin-host.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { PluginFileSender, sha256 } from './support/plugin-files.ts';
import { freePort, password, rustProgram, webrconAt } from './support/rcon.ts';

let stage: Stage;
let files: PluginFileSender;

beforeEach(async () => {
  stage = await Stage.open();
  files = new PluginFileSender(stage);
});

afterEach(async () => {
  expect(stage.platform.violations).toEqual([]);
  await stage.close();
});

const config = 'config/Toy.json';
const data = 'data/Toy/Things.json';
const storeOf = () => join(stage.agent.stateDirectory, 'instances', 'main', 'plugin-files');
const recordOf = () =>
  JSON.parse(readFileSync(join(storeOf(), 'record.json'), 'utf8')) as Record<string, unknown>;

/** A simulated Rust server with a plugin, and whether it is started. */
async function open({
  framework = 'oxide',
  isStarted = true,
  source = pluginSource('Toy', { reads: ['Toy/Things'] }),
}: { framework?: 'oxide' | 'carbon'; isStarted?: boolean; source?: string } = {}): Promise<void> {
  files = new PluginFileSender(stage, framework);
  const port = await freePort();
  const args = ['--boot-ms', '60', '--play-ms', '0', '--modding', framework, '+server.identity', 'test'];
  stage.agent.configure([
    {
      program: rustProgram,
      args: [...args, '+rcon.port', String(port), '+rcon.password', password],
      game: 'rust',
      ready_pattern: 'Server startup complete',
      stop: { command: 'quit' },
      ...webrconAt(stage, port),
    },
  ]);
  files.write('plugins/Toy.cs', source);
  files.write(config, '{"speed": 1}');
  await stage.startAgent();
  if (!isStarted) return;
  await stage.platform.run('start');
  await stage.platform.untilLine('RCON is connected');
}

describe.each(['oxide', 'carbon'] as const)('with %s', (framework) => {
  it('are written where the framework has them, and the plugin is loaded anew', async () => {
    await open({ framework });
    const contents = { [config]: '{"speed": 2}', [data]: '[1]' };
    expect(await files.apply(contents)).toMatchObject({
      status: 'succeeded',
      detail: '2 files are written. Toy 1.0.0 is loaded.',
    });
    expect([files.read(config), files.read(data)]).toEqual(['{"speed": 2}', '[1]']);
    const line = `${framework === 'carbon' ? 'c' : 'oxide'}.reload Toy`;
    expect(await stage.platform.untilLine(line)).toMatchObject({ stream: 'input', by: 'owner@example.com' });
    expect(readdirSync(storeOf()).filter((name) => name.startsWith('upload-'))).toEqual([]);
    expect(recordOf()).toMatchObject({ phase: 'over' });
  });
});

describe('files that the plugin can not read', () => {
  it('are all taken back, and the plugin is loaded with the former ones', async () => {
    await open();
    expect(await files.apply({ [config]: '{"speed": 2}', [data]: '{ broken' })).toMatchObject({
      status: 'failed',
      error_code: 'plugin_failed',
      detail: expect.stringMatching(
        /JsonReaderException.*the former files are back, and the plugin is loaded/,
      ),
    });
    expect([files.read(config), files.read(data)]).toEqual(['{"speed": 1}', null]);
  });
});

describe('files that are not what they were', () => {
  it('are left as they are', async () => {
    await open();
    const command = await files.command({ [config]: '{"speed": 2}', [data]: '[1]' });
    files.write(config, '{"speed": 3}');
    expect(await files.send(command)).toMatchObject({ status: 'failed', error_code: 'files_changed' });
    expect([files.read(config), files.read(data)]).toEqual(['{"speed": 3}', null]);
  });
});

describe('a plugin that writes its files while it unloads', () => {
  const source = pluginSource('Toy', { reads: ['Toy'], saves: ['Toy'] });
  const own = 'data/Toy.json';

  it('is unloaded first, and so does not write over what is new', async () => {
    await open({ source, isStarted: false });
    files.write(own, '["old"]');
    await stage.platform.run('start');
    await stage.platform.untilLine('RCON is connected');
    // Reloaded alone, it would write back what it has in memory.
    expect(await files.apply({ [own]: '["lost"]' })).toMatchObject({
      status: 'succeeded',
      detail: expect.stringContaining('was written anew by the plugin'),
    });
    expect(files.read(own)).toBe('["old"]');
    expect(await files.apply({ [own]: '["new"]' }, { is_unloaded_first: true })).toMatchObject({
      status: 'succeeded',
      detail: '1 file is written. Toy 1.0.0 is loaded.',
    });
    expect(files.read(own)).toBe('["new"]');
  });

  it('is loaded again when its files turn out to be others then', async () => {
    await open({ source, isStarted: false });
    files.write(own, '["old"]');
    await stage.platform.run('start');
    await stage.platform.untilLine('RCON is connected');
    files.write(own, '["edited while it runs"]');
    expect(await files.apply({ [own]: '["new"]' }, { is_unloaded_first: true })).toMatchObject({
      status: 'failed',
      error_code: 'files_changed',
    });
    expect(files.read(own)).toBe('["old"]');
    expect(recordOf()).toMatchObject({ unloaded: ['Toy'], phase: 'over' });
  });
});

describe('a server that does not run', () => {
  it('reads them when it starts', async () => {
    await open({ isStarted: false });
    expect(await files.apply({ [config]: '{"speed": 2}' })).toMatchObject({
      status: 'succeeded',
      detail: '1 file is written. The next start reads them.',
    });
  });
});

describe('an agent that is killed', () => {
  /** What an agent leaves that was killed at that point of the command. */
  function leave(id: string, phase: 'writing' | 'loading', written: string): void {
    writeFileSync(join(storeOf(), `former-${id}-0`), '{"speed": 1}');
    const record = {
      id,
      phase,
      files: [
        { path: 'oxide/config/Toy.json', sha256: sha256(written), present: sha256('{"speed": 1}') },
        { path: 'oxide/data/Toy/Things.json', sha256: sha256('{ broken'), present: null },
      ],
      plugins: ['Toy'],
      unloaded: [],
    };
    writeFileSync(join(storeOf(), 'record.json'), JSON.stringify(record));
  }

  const id = '0199a1f0-6c1e-7a44-9d0e-00000000a001';

  it('while it writes, takes back what it has written', async () => {
    await open({ isStarted: false });
    await stage.agent.end('SIGKILL');
    leave(id, 'writing', '{"speed": 2}');
    files.write(config, '{"speed": 2}');
    files.write(data, '{ broken');
    await stage.startAgent();
    await until(() => files.read(config) === '{"speed": 1}' && files.read(data) === null, 'the former files');
    await until(() => recordOf()['phase'] === 'over', 'the end of it');
  });

  it('while it writes, leaves what somebody else has written since', async () => {
    await open({ isStarted: false });
    await stage.agent.end('SIGKILL');
    leave(id, 'writing', '{"speed": 2}');
    files.write(config, '{"speed": 9}');
    await stage.startAgent();
    await until(() => recordOf()['phase'] === 'over', 'the end of it');
    expect(files.read(config)).toBe('{"speed": 9}');
  });

  it('while the plugin loads, takes back what the plugin can not read', async () => {
    await open();
    await stage.agent.end('SIGKILL');
    leave(id, 'loading', '{"speed": 2}');
    files.write(config, '{"speed": 2}');
    files.write(data, '{ broken');
    // The server has seen them, and the plugin has failed.
    files.write('plugins/Toy.cs', `${pluginSource('Toy', { reads: ['Toy/Things'] })}// again\n`);
    await stage.startAgent();
    await until(() => files.read(config) === '{"speed": 1}', 'the former files');
    await until(() => recordOf()['phase'] === 'over', 'the end of it');
    expect(files.read(data)).toBeNull();
  });

  it('before the plugin was told, has it read what was written', async () => {
    await open();
    await stage.agent.end('SIGKILL');
    leave(id, 'loading', '{"speed": 2}');
    files.write(config, '{"speed": 2}');
    await stage.startAgent();
    await stage.platform.untilLine('oxide.reload Toy');
    await until(() => recordOf()['phase'] === 'over', 'the end of it');
    expect(files.read(config)).toBe('{"speed": 2}');
  });

  it('has what comes next wait until it was seen to', async () => {
    await open();
    await stage.agent.end('SIGKILL');
    leave(id, 'loading', '{"speed": 2}');
    files.write(config, '{"speed": 2}');
    await stage.startAgent();
    expect(await files.apply({ [config]: '{"speed": 3}' })).toMatchObject({ status: 'succeeded' });
    expect(files.read(config)).toBe('{"speed": 3}');
    expect(recordOf()).toMatchObject({ phase: 'over' });
    expect(recordOf()['id']).not.toBe(id);
  });

  it('answers for the command that it was at', async () => {
    await open({ isStarted: false });
    const command = await files.command({ [config]: '{"speed": 2}' });
    const journal = join(stage.agent.stateDirectory, 'journal.jsonl');
    await stage.agent.end('SIGKILL');
    const lines = [
      { is: 'accepted', at: Date.now(), command },
      { is: 'started', at: Date.now(), id: command.id },
    ];
    writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    leave(command.id, 'writing', '{"speed": 2}');
    files.write(config, '{"speed": 2}');
    await stage.startAgent();
    expect(await stage.platform.resultOf(command.id)).toMatchObject({
      status: 'failed',
      error_code: 'interrupted',
      detail: 'The agent was interrupted; the former files are back.',
    });
    expect(files.read(config)).toBe('{"speed": 1}');
  });
});

describe('what the platform asks of files of plugins', () => {
  it('leads nowhere else', async () => {
    await open({ isStarted: false });
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
    expect(existsSync(storeOf())).toBe(true);
  });
});
