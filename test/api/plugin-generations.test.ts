// Plugin generations on servers of both frameworks, with a real agent: the files on the server decide.
import type { Response } from 'supertest';
import { PluginHost, pluginSource } from '../support/plugin-host.ts';
import { serversOfPlugins, type ServerOfPlugin } from '../support/plugin-files.ts';

interface Previewed {
  files: { file: string; path: string | null; is_changed: boolean; diff: string }[];
  not_written: { pointer: string; detail: string }[];
}

const bodyOf = <T>({ body }: Response) => body as T;

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

  async function onServer<T>({ files }: ServerOfPlugin, work: () => Promise<T>): Promise<T> {
    for (const [file, content] of files) host.write(file, content);
    try {
      return await work();
    } finally {
      for (const file of files.keys()) host.remove(file);
    }
  }

  const imported = async (kind: string, name: string) => {
    const body = { name, instance_id: host.instanceId };
    const response = await host.call('post', `${kind}/import-from-server`, body).expect(201);
    return bodyOf<{ config: { id: string; config_data: object } }>(response).config;
  };

  const previewOf = async (kind: string, id: string) =>
    bodyOf<Previewed>(
      await host.call('post', `${kind}/${id}/preview`, { instance_id: host.instanceId }).expect(200),
    );

  it.each(serversOfPlugins)('keeps its files of $server unchanged', async (known) => {
    const { kind, server, files } = known;
    const { files: previewed, not_written } = await onServer(known, async () =>
      previewOf(kind, (await imported(kind, server)).id),
    );
    expect(not_written).toEqual([]);
    const folder = (file: string) => (framework === 'carbon' ? file.replace(/^config\//, 'configs/') : file);
    expect(previewed.map(({ file, path, diff }) => ({ file, path, diff }))).toEqual(
      expect.arrayContaining(
        [...files.keys()].map((file) => ({ file, path: `${framework}/${folder(file)}`, diff: '' })),
      ),
    );
    expect(previewed.filter(({ is_changed }) => is_changed)).toEqual([]);
  });

  it('reports what its version does not support, and gets the rest', async () => {
    host.write('plugins/BetterLoot.cs', pluginSource('BetterLoot'));
    const config_data = { loot_table: { 'assets/a.prefab': { is_enabled: true } }, blacklist: ['rock'] };
    const { id } = await host.create('loot', config_data);
    await onServer(serverOf('loot', 'better-loot-3'), async () => {
      const tables = 'data/BetterLoot/LootTables.json';
      const before = host.read(tables);
      const { files, not_written } = await previewOf('loot', id);
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
    await onServer(serverOf('loot', 'better-loot-3'), async () => {
      expect(await previewOf('loot', id)).toMatchObject({
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
