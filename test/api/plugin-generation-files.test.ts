// Every whole file of a plugin on servers of both frameworks, with a real agent: imported, and previewed unchanged.
import { serversOfPlugins } from '../support/plugin-files.ts';
import { PluginHost } from '../support/plugin-host.ts';
import { importFrom, onServer, previewOf } from '../support/plugin-imports.ts';

describe.each(['oxide', 'carbon'] as const)('a server with %s', (framework) => {
  let host: PluginHost;

  beforeAll(async () => {
    host = await PluginHost.open({ frameworks: [framework] });
    await host.startServer();
  });

  afterAll(async () => {
    await host.close();
  });

  it.each(serversOfPlugins)('keeps its files of $server unchanged', async (known) => {
    const { kind, server, files } = known;
    const { files: previewed, not_written } = await onServer(host, known, async () =>
      previewOf(host, kind, await importFrom(host, kind, server)),
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
});
