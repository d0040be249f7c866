// Plugin generations on servers of both frameworks, with a real agent: the files on the server decide.
import { PluginHost, pluginSource } from '../support/plugin-host.ts';
import { serversOfPlugins, type ServerOfPlugin } from '../support/plugin-files.ts';
import { onServer, previewOf } from '../support/plugin-imports.ts';

const serverOf = (kind: string, server: string): ServerOfPlugin => {
  const found = serversOfPlugins.find((each) => each.kind === kind && each.server === server);
  if (found === undefined) throw new Error(`there are no files of ${server}`);
  return found;
};

describe.each(['oxide', 'carbon'] as const)('a server with %s', (framework) => {
  let host: PluginHost;

  beforeAll(async () => {
    host = await PluginHost.open({ frameworks: [framework] });
    await host.startServer();
  });

  afterAll(async () => {
    await host.close();
  });

  it('reports what its version does not support, and gets the rest', async () => {
    host.write('plugins/BetterLoot.cs', pluginSource('BetterLoot'));
    const config_data = { loot_table: { 'assets/a.prefab': { is_enabled: true } }, blacklist: ['rock'] };
    const { id } = await host.create('loot', config_data);
    await onServer(host, serverOf('loot', 'better-loot-3'), async () => {
      const tables = 'data/BetterLoot/LootTables.json';
      const before = host.read(tables);
      const { files, not_written } = await previewOf(host, 'loot', id);
      expect(files.map(({ file }) => file)).toEqual(['data/BetterLoot/Blacklist.json']);
      const detail = expect.stringContaining('version 3 of BetterLoot');
      expect(not_written).toEqual([{ pointer: '/loot_table', place: 'loot_table', detail }]);
      expect(await host.apply('loot', id)).toMatchObject({
        status: 'succeeded',
        is_loaded: true,
        remarks: [{ pointer: '/loot_table', detail }],
      });
      expect(host.read(tables)).toBe(before);
    });
  });

  it('refuses a configuration that is entirely for another version', async () => {
    const { id } = await host.create('loot', { settings: { loot: { loot_multiplier: 2 } } });
    await onServer(host, serverOf('loot', 'better-loot-3'), async () => {
      expect(await previewOf(host, 'loot', id)).toMatchObject({
        files: [],
        not_written: [{ pointer: '/settings' }],
      });
      expect(await host.apply('loot', id)).toMatchObject({
        status: 'failed',
        error: {
          detail: 'The server has version 3 of BetterLoot, which supports no part of this configuration.',
        },
      });
    });
  });
});
