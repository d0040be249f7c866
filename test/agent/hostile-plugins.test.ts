// Plugins that are refused, servers that say strange things about theirs, and agents that are killed meanwhile.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { PluginSender, sha256, sourceOf } from './support/plugins.ts';
import { FakeRcon } from './support/rcon.ts';
import { webrconAt } from './support/rust-instance.ts';

let stage: Stage;
let plugins: PluginSender;
let fake: FakeRcon | undefined;

beforeEach(async () => {
  stage = await Stage.open();
  plugins = new PluginSender(stage);
});

afterEach(async () => {
  expect(stage.platform.violations).toEqual([]);
  await stage.close();
  await fake?.close();
  fake = undefined;
});

const folder = () => join(stage.agent.directory, 'oxide', 'plugins');

/** A plain game server that seems to be a Rust server with Oxide. */
async function startFake(reply: FakeRcon['reply']): Promise<FakeRcon> {
  const rcon = await FakeRcon.open();
  fake = rcon;
  rcon.oxideVersion = 'Oxide.Rust Version: 2.0.1';
  rcon.reply = reply;
  mkdirSync(folder(), { recursive: true });
  stage.agent.configure([webrconAt(stage, rcon.port)]);
  await stage.startAgent();
  await stage.platform.run('start');
  await stage.platform.untilLine('RCON is connected');
  return rcon;
}

describe('what is no plugin', () => {
  it.each([
    ['a source without its class', 'class Other {}', 'not_plugin'],
    ['a class in a comment only', '// class Kits\n/* class Kits */', 'not_plugin'],
    ['a class in a text only', 'var text = "class Kits {}";', 'not_plugin'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]), 'not_plugin'],
    ['a text with NUL', 'class Kits {}\0', 'not_plugin'],
    ['nothing', '', 'not_plugin'],
    ['more than 4 MiB', `class Kits {}${' '.repeat(4 * 1024 * 1024)}`, 'too_large'],
  ])('%s is refused and leaves nothing', async (_what, source, code) => {
    mkdirSync(folder(), { recursive: true });
    stage.agent.configure([{}]);
    await stage.startAgent();
    expect(await plugins.upload('Kits', source)).toMatchObject({ ok: false, error: { code } });
    expect(readdirSync(join(stage.agent.stateDirectory, 'instances/main/plugins'))).toEqual([]);
  });

  it('is a plugin that is there already, unless it may be replaced', async () => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), 'Kits.cs'), 'class Kits {}');
    stage.agent.configure([{}]);
    await stage.startAgent();
    expect(await plugins.upload('Kits', sourceOf('Kits'))).toMatchObject({ error: { code: 'exists' } });
    expect(await plugins.install('Kits', sourceOf('Kits'), true)).toMatchObject({ status: 'succeeded' });
  });

  it('is a name that is more than one', async () => {
    mkdirSync(folder(), { recursive: true });
    stage.agent.configure([{}]);
    await stage.startAgent();
    for (const plugin of [
      '*',
      'Kits Other',
      '../Kits',
      'Kits;quit',
      'Kits\nquit',
      'Kits.cs',
      '',
      'x'.repeat(101),
    ]) {
      expect(await plugins.upload(plugin, sourceOf('Kits'))).toMatchObject({ error: { code: 'invalid' } });
      for (const verb of ['load_plugin', 'unload_plugin', 'reload_plugin', 'uninstall_plugin'] as const) {
        const command = stage.platform.command(verb, 'main', { args: { plugin, by: 'x' } });
        expect(await stage.platform.send(command)).toMatchObject({ accepted: false, reason: 'invalid' });
      }
    }
  });

  it('is a folder outside of the instance’s root', async () => {
    mkdirSync(folder(), { recursive: true });
    mkdirSync(join(stage.agent.directory, 'narrow'));
    stage.agent.configure([{ root: join(stage.agent.directory, 'narrow') }]);
    await stage.startAgent();
    expect(await plugins.upload('Kits', sourceOf('Kits'))).toMatchObject({
      error: { code: 'not_supported' },
    });
  });
});

describe('a server that says strange things', () => {
  it('and lists a million plugins has 400 of them shown', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `  ${index} "T" (1) by A (0s) - P${index}.cs`);
    await startFake((command) =>
      command === 'oxide.plugins' ? ['Listing 20000 plugins:', ...lines].join('\n') : '',
    );
    expect((await plugins.list()).plugins).toHaveLength(400);
  });

  it('and gives no list is not understood', async () => {
    await startFake(() => 'What do you mean?');
    expect(await plugins.list()).toMatchObject({ ok: false, error: { code: 'game_unreachable' } });
  });

  it('and takes no notice of a new file is sent a load command', async () => {
    let isLoaded = false;
    const rcon = await startFake((command) => {
      if (command === 'oxide.load Kits') isLoaded = true;
      if (command !== 'oxide.plugins') return '';
      return isLoaded
        ? 'Listing 1 plugins:\n  01 "Kits" (1.0.0) by A (0s) - Kits.cs'
        : 'No plugins are currently available';
    });
    expect(await plugins.install('Kits', sourceOf('Kits'))).toMatchObject({ status: 'succeeded' });
    expect(rcon.commands.filter((command) => command !== 'oxide.plugins')).toEqual(['oxide.load Kits']);
  });

  it('and keeps the older one loaded when the new one does not compile has failed all the same', async () => {
    const rcon = await startFake((command) => {
      if (command === 'oxide.reload Kits') rcon.say('Error while compiling Kits: CS0103');
      return command === 'oxide.plugins' ? 'Listing 1 plugins:\n  01 "Kits" (1.0.0) by A (0s) - Kits.cs' : '';
    });
    expect(await plugins.run('reload_plugin', { plugin: 'Kits' })).toMatchObject({
      error_code: 'plugin_failed',
      detail: 'Error while compiling Kits: CS0103',
    });
  });

  it('and lets a user change a plugin that is uninstalled keeps what they wrote', async () => {
    const file = join(folder(), 'Kits.cs');
    let isLoaded = true;
    await startFake((command) => {
      if (command === 'oxide.unload Kits') {
        isLoaded = false;
        writeFileSync(file, sourceOf('Kits', '2.0.0'));
      }
      return command === 'oxide.plugins'
        ? `Listing 1 plugins:\n  01 ${isLoaded ? '"The Kits" (1.0.0) by Aster (0.01s / 12 KB) - Kits.cs' : 'Kits - Unloaded'}`
        : '';
    });
    writeFileSync(file, sourceOf('Kits'));
    expect(await plugins.run('uninstall_plugin', { plugin: 'Kits' })).toMatchObject({
      status: 'failed',
      error_code: 'files_refused',
      detail: expect.stringContaining('has changed meanwhile'),
    });
    expect(readFileSync(file, 'utf8')).toBe(sourceOf('Kits', '2.0.0'));
    expect(await plugins.copies()).toEqual([]);
  });

  it('and goes away meanwhile fails the command', async () => {
    const rcon = await startFake((command) => {
      if (command === 'oxide.unload Kits') for (const socket of rcon.sockets) socket.terminate();
      return 'Listing 1 plugins:\n  01 "Kits" (1.0.0) by A (0s) - Kits.cs';
    });
    writeFileSync(join(folder(), 'Kits.cs'), sourceOf('Kits'));
    expect(await plugins.run('uninstall_plugin', { plugin: 'Kits' })).toMatchObject({
      error_code: 'game_unreachable',
    });
    expect(existsSync(join(folder(), 'Kits.cs'))).toBe(true);
  });
});

describe('an agent that is killed', () => {
  it('meanwhile says what is there of an installation', async () => {
    await startFake((command) =>
      command === 'oxide.plugins' ? 'No plugins are currently available' : undefined,
    );
    const { id } = await plugins.upload('Kits', sourceOf('Kits'));
    const command = stage.platform.command('install_plugin', 'main', {
      args: { plugin: 'Kits', upload: id, sha256: sha256(sourceOf('Kits')), overwrite: false, by: 'x' },
    });
    expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
    await until(() => existsSync(join(folder(), 'Kits.cs')), 'the file');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    expect(await stage.platform.resultOf(command.id)).toMatchObject({
      status: 'failed',
      error_code: 'interrupted',
      detail: expect.stringContaining('The file is in its place'),
    });
    expect(readdirSync(folder())).toEqual(['Kits.cs']);
  });

  it('while it receives a plugin leaves nothing of that', async () => {
    mkdirSync(folder(), { recursive: true });
    stage.agent.configure([{}]);
    await stage.startAgent();
    expect(await plugins.ask('upload-plugin', { plugin: 'Kits' })).toMatchObject({ ok: true });
    const received = join(stage.agent.stateDirectory, 'instances/main/plugins');
    expect(readdirSync(received)).toHaveLength(1);
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await until(() => readdirSync(received).length === 0, 'the removal');
  });
});
