// Plugins of a Rust server at the agent: what is listed, loaded, installed, removed and restored.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { PluginSender, sha256, sourceOf } from './support/plugins.ts';
import { startRust, webrconAt, withFramework } from './support/rust-instance.ts';

let stage: Stage;
let plugins: PluginSender;

beforeEach(async () => {
  stage = await Stage.open();
  plugins = new PluginSender(stage);
});

afterEach(async () => {
  expect(stage.platform.violations).toEqual([]);
  await stage.close();
});

const folderOf = (framework: string) => join(stage.agent.directory, framework, 'plugins');

const startModded = (modding: Parameters<typeof withFramework>[0]) =>
  startRust(stage, withFramework(modding));

describe.each(['oxide', 'carbon'] as const)('with %s', (framework) => {
  it('plugins are installed, listed, unloaded, loaded and reloaded', async () => {
    await startModded(framework);
    expect(await plugins.install('Kits', sourceOf('Kits'))).toMatchObject({
      status: 'succeeded',
      detail: 'Kits 1.0.0 is loaded.',
    });
    expect(readFileSync(join(folderOf(framework), 'Kits.cs'), 'utf8')).toBe(sourceOf('Kits'));
    const kits = { name: 'Kits', title: 'The Kits', version: '1.0.0', author: 'Aster', file: 'Kits.cs' };
    const listed = await plugins.list();
    expect(listed).toMatchObject({ ok: true, framework, framework_version: expect.any(String) });
    expect(listed.plugins).toContainEqual({ ...kits, state: 'loaded' });

    const [plugin, by] = ['Kits', 'owner@example.com'];
    expect(await plugins.run('unload_plugin', { plugin })).toMatchObject({ detail: 'Kits is unloaded.' });
    expect(await plugins.run('unload_plugin', { plugin })).toMatchObject({ detail: 'Kits is not loaded.' });
    expect((await plugins.list()).plugins).toContainEqual({
      name: plugin,
      file: 'Kits.cs',
      state: 'unloaded',
    });
    expect(await plugins.run('load_plugin', { plugin })).toMatchObject({ detail: 'Kits 1.0.0 is loaded.' });
    expect(await plugins.run('load_plugin', { plugin })).toMatchObject({
      detail: 'Kits is loaded already.',
    });
    expect(await plugins.run('reload_plugin', { plugin })).toMatchObject({ detail: 'Kits 1.0.0 is loaded.' });
    const text = `${framework === 'carbon' ? 'c' : 'oxide'}.reload Kits`;
    expect(await stage.platform.untilLine(text)).toMatchObject({ stream: 'input', text, by });
  });

  it('one that does not compile fails with why, and its file is there to be replaced', async () => {
    await startModded(framework);
    const broken = sourceOf('Kits', '1.0.0', 'CS1002: ; expected');
    expect(await plugins.install('Kits', broken)).toMatchObject({
      status: 'failed',
      error_code: 'plugin_failed',
      detail: expect.stringContaining('CS1002: ; expected'),
    });
    expect((await plugins.list()).plugins).toContainEqual({
      name: 'Kits',
      file: 'Kits.cs',
      state: 'failed',
      error: expect.stringContaining('CS1002: ; expected'),
    });
    expect(await plugins.run('load_plugin', { plugin: 'Kits' })).toMatchObject({
      error_code: 'plugin_failed',
    });
    expect(await plugins.install('Kits', sourceOf('Kits', '2.0.0'), true)).toMatchObject({
      status: 'succeeded',
      detail: 'Kits 2.0.0 is loaded.',
    });
    expect(await plugins.copies()).toMatchObject([{ plugin: 'Kits', sha256: sha256(broken) }]);
  });

  it('one is uninstalled with a copy, and restored from it', async () => {
    await startModded(framework);
    await plugins.install('Kits', sourceOf('Kits'));
    expect(await plugins.run('uninstall_plugin', { plugin: 'Kits' })).toMatchObject({ status: 'succeeded' });
    await stage.platform.untilLine('Unloaded plugin The Kits');
    expect(existsSync(join(folderOf(framework), 'Kits.cs'))).toBe(false);
    const [copy] = await plugins.copies();
    expect(copy).toMatchObject({
      plugin: 'Kits',
      size: sourceOf('Kits').length,
      sha256: sha256(sourceOf('Kits')),
    });
    expect(await plugins.run('restore_plugin', { copy: copy?.id })).toMatchObject({
      status: 'succeeded',
      detail: 'Kits 1.0.0 is loaded.',
    });
    expect(await plugins.run('restore_plugin', { copy: copy?.id })).toMatchObject({
      status: 'failed',
      error_code: 'files_refused',
    });
  });
});

describe('a plugin that there is not', () => {
  it('is distinguished from others', async () => {
    await startModded('oxide');
    for (const verb of ['load_plugin', 'unload_plugin', 'reload_plugin', 'uninstall_plugin'] as const)
      expect([verb, await plugins.run(verb, { plugin: 'Nothing' })]).toMatchObject([
        verb,
        { status: 'failed', error_code: 'plugin_not_found' },
      ]);
    const copy = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11';
    expect(await plugins.run('restore_plugin', { copy })).toMatchObject({ error_code: 'plugin_not_found' });
    expect(
      await plugins.run('install_plugin', {
        plugin: 'Kits',
        upload: copy,
        sha256: sha256(''),
        overwrite: false,
      }),
    ).toMatchObject({ error_code: 'plugin_not_found' });
  });
});

describe('a server that does not run', () => {
  it('gets its plugins as files, which the next start loads', async () => {
    await startModded('oxide');
    await stage.platform.run('stop');
    expect(await plugins.list()).toMatchObject({ ok: false, error: { code: 'not_running' } });
    expect(await plugins.run('load_plugin', { plugin: 'Kits' })).toMatchObject({ error_code: 'not_running' });
    expect(await plugins.install('Kits', sourceOf('Kits'))).toMatchObject({
      status: 'succeeded',
      detail: 'Kits.cs is in its place. The next start loads it.',
    });
    expect(await plugins.run('uninstall_plugin', { plugin: 'Kits' })).toMatchObject({ status: 'succeeded' });
    expect(readdirSync(folderOf('oxide'))).toEqual([]);
    expect(await plugins.copies()).toHaveLength(1);
  });
});

describe('a server without a framework', () => {
  it('has no plugins', async () => {
    await startModded('none');
    expect(await plugins.list()).toMatchObject({ ok: false, error: { code: 'not_supported' } });
    expect(await plugins.run('load_plugin', { plugin: 'Kits' })).toMatchObject({
      error_code: 'not_supported',
    });
    expect(await plugins.upload('Kits', sourceOf('Kits'))).toMatchObject({
      error: { code: 'not_supported' },
    });
  });
});

describe('RCON that is down', () => {
  it('is reported, and nothing is changed', async () => {
    await startModded('oxide');
    await plugins.install('Kits', sourceOf('Kits'));
    await stage.agent.end();
    webrconAt(stage, 1, 'another password');
    await stage.startAgent();
    await until(async () => {
      const { error } = await plugins.list();
      return error?.detail.includes('password');
    }, 'the refusal of the password');
    expect(await plugins.list()).toMatchObject({ ok: false, error: { code: 'game_unreachable' } });
    for (const verb of ['load_plugin', 'reload_plugin', 'uninstall_plugin'] as const)
      expect([verb, await plugins.run(verb, { plugin: 'Kits' })]).toMatchObject([
        verb,
        { error_code: 'game_unreachable' },
      ]);
    expect(await plugins.install('Other', sourceOf('Other'))).toMatchObject({
      error_code: 'game_unreachable',
    });
    expect(readdirSync(folderOf('oxide'))).toEqual(['Kits.cs']);
    expect(await plugins.copies()).toEqual([]);
  });
});
