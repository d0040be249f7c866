// Every kind of plugin configuration from end to end: stored, previewed, applied to real files by a real
// agent, read back.
import type { components } from '../../generated/platform.d.ts';
import { documentFile } from '../../src/platform-contract/document-file.ts';
import { readDocument } from '../../src/contract/document.ts';
import type { ConfigData, PluginKind } from '../../src/plugin-configs/kind.ts';
import { pluginKinds } from '../../src/plugin-configs/registry.ts';
import type { ConfigSchema } from '../../src/plugin-configs/schema.ts';
import { fileLeaves, leavesOf, differentValue, withLeaf, writtenLeaves } from '../support/config-leaves.ts';
import { PluginHost, pluginSource, type Application, type PluginServer } from '../support/plugin-host.ts';
import { sampleOf } from '../support/sample.ts';
import { samples } from '../support/plugin-samples.ts';

type Schemas = components['schemas'];
type Files = Readonly<Record<string, string>>;

const schemas = readDocument(documentFile).components['schemas'] as Record<string, ConfigSchema>;
const kinds = [...pluginKinds(schemas).values()];

let host: PluginHost;

beforeAll(async () => {
  host = await PluginHost.open({ frameworks: ['oxide', 'carbon'] });
  await Promise.all(host.servers.map((server) => host.startServer(server)));
});

afterAll(() => host.close());

const mark = '\uFEFF';
const head = `${mark}// Kept by hand: "not a key": 1\r\n`;
const foot = '\r\n/* The end. */\r\n';
const strange = '"Of ours": { "id": 18446744073709551615, "rate": 1.50, "text": "\\u00e9 // \\"" },';

/** Files of the version that the configuration is for. */
function plainFiles(kind: PluginKind, config: ConfigData): Files {
  const others = [kind.defaults(), ...kind.presets().map((preset) => preset.config)];
  const candidates = [
    ...(samples[kind.name]?.slice(0, 1) ?? []),
    ...others.map((other) => Object.fromEntries(kind.toFiles(other, new Map()))),
  ];
  const isFit = (files: Files) => kind.written(config, new Map(Object.entries(files))).foreign === null;
  return candidates.find(isFit) ?? {};
}

/** Files that people and other versions of the plugin have edited too. */
function serverFiles(kind: PluginKind, config: ConfigData): Files {
  const plain = plainFiles(kind, config);
  return Object.fromEntries(
    Object.entries(plain).map(([file, content]) => {
      const text = content.replace(mark, '').trim().replaceAll(/\r?\n/g, '\r\n');
      const withStrange = text.replace(/^\{/, `{\r\n  ${strange}`);
      const { remarks } = kind.fromFiles(new Map([[file, withStrange]]));
      const isStrange = remarks.some(({ pointer }) => pointer === '/Of ours');
      return [file, `${head}${isStrange ? withStrange : text}${foot}`];
    }),
  );
}

function write(server: PluginServer, kind: PluginKind, present: Files, refuses?: string): void {
  for (const file of kind.files) server.remove(file);
  for (const [file, text] of Object.entries(present)) server.write(file, text);
  writePlugins(server, kind, refuses);
}

/** The plugins load any files except those with the rejected text. */
function writePlugins(server: PluginServer, { definition, files }: PluginKind, refuses?: string): void {
  const reads = files.flatMap((file) => /^data\/(.*)\.json$/.exec(file)?.[1] ?? []);
  for (const plugin of new Set(definition.files.map(({ plugin: name }) => name)))
    server.write(`plugins/${plugin}.cs`, pluginSource(plugin, { reads, ...(refuses && { refuses }) }));
}

const onDisk = (server: PluginServer, files: Files) =>
  Object.fromEntries(Object.keys(files).map((file) => [file, server.read(file)]));

async function preview({ name }: PluginKind, id: string, { instanceId }: PluginServer) {
  const { body } = await host.call('post', `${name}/${id}/preview`, { instance_id: instanceId }).expect(200);
  return (body as Schemas['PluginConfigPreview']).files;
}

async function applied({ name }: PluginKind, id: string, server: PluginServer): Promise<Application> {
  const { body } = await host
    .call('post', `${name}/${id}/apply`, { instance_id: server.instanceId })
    .set('Prefer', 'wait=10')
    .expect(202);
  // A loaded machine may need longer than a caller can wait.
  return host.endOf((body as Application).id, 60_000);
}

/** Everything else is unchanged: values that the configuration does not change, and unknown ones. */
function expectUntouched(before: string, after: string): void {
  expect(after.startsWith(head)).toBe(true);
  expect(after.endsWith(foot)).toBe(true);
  expect(after.includes(strange)).toBe(before.includes(strange));
  expect(after).not.toMatch(/[^\r]\n/);
  const texts = new Map(fileLeaves(after).map(({ pointer, node, text }) => [pointer, { node, text }]));
  for (const { pointer, node, text } of fileLeaves(before)) {
    const now = texts.get(pointer);
    if (now !== undefined && now.node.type === node.type && now.node.value === node.value)
      expect([pointer, now.text]).toEqual([pointer, text]);
  }
}

/** Creates it, previews it and applies it to existing files. */
async function bring(kind: PluginKind, config: ConfigData, server: PluginServer): Promise<string> {
  const { name } = kind;
  const present = serverFiles(kind, config);
  write(server, kind, present);
  const { body: validation } = await host
    .call('post', `${name}/validate`, { config_data: config })
    .expect(200);
  expect(validation).toMatchObject({ is_valid: true, faults: [] });
  const { id } = await host.create(name, config);
  const previewed = await preview(kind, id, server);
  for (const { file, path, content, is_changed: isChanged, diff } of previewed) {
    expect(path ?? server.pathOf(file)).toMatch(server.framework === 'carbon' ? /carbon\// : /oxide\//);
    expect(isChanged).toBe(content !== (present[file] ?? null));
    expect(diff !== '').toBe(isChanged);
  }
  expect(await applied(kind, id, server)).toMatchObject({
    status: 'succeeded',
    // Where no file changes, nothing is reloaded and the plugin's reading is unknown.
    is_loaded: previewed.some(({ is_changed }) => is_changed) ? true : null,
    remarks: [],
    error: null,
    files: previewed.filter(({ is_changed: isChanged }) => isChanged).map(({ file }) => ({ file })),
  });
  const expected = Object.fromEntries(previewed.map(({ file, content }) => [file, content]));
  expect(onDisk(server, { ...present, ...expected })).toEqual({ ...present, ...expected });
  for (const [file, before] of Object.entries(present)) expectUntouched(before, server.read(file));
  return id;
}

/** Reading back from the server gives what was applied, and applying the result changes nothing. */
async function readBack(kind: PluginKind, config: ConfigData, server: PluginServer): Promise<void> {
  const { body } = await host
    .call('post', `${kind.name}/import-from-server`, {
      name: `Read ${Math.random()}`,
      instance_id: server.instanceId,
    })
    .expect(201);
  const { id, config_data: read } = (body as { config: { id: string; config_data: ConfigData } }).config;
  expect(saidIn(leavesOf(read))).toEqual(expect.arrayContaining(saidIn(writtenLeaves(kind, config))));
  const changed = (await preview(kind, id, server)).filter(({ is_changed: isChanged }) => isChanged);
  expect(changed).toEqual([]);
}

/** A valid configuration with one other leaf, and the new text in the file. */
async function otherConfig(kind: PluginKind, config: ConfigData, id: string, server: PluginServer) {
  const files = onDisk(
    server,
    Object.fromEntries((await preview(kind, id, server)).map(({ file }) => [file, ''])),
  );
  for (const [pointer, leaf] of Object.entries(writtenLeaves(kind, config))) {
    const config_data = withLeaf(config, pointer, differentValue(leaf));
    const { status, body } = await host.call('post', `${kind.name}/validate`, { config_data });
    if (status !== 200 || !(body as Schemas['PluginConfigValidation']).is_valid) continue;
    for (const [file, content] of kind.toFiles(config_data, new Map(Object.entries(files)))) {
      const before = files[file] ?? '';
      const own = content.split('\r\n').find((line) => !before.includes(line.trim()));
      if (own !== undefined) return { config_data, refuses: own.trim(), file, before, content };
    }
  }
  throw new Error(`nothing of ${kind.name} can be changed`);
}

/** Its leaves regardless of the order of list elements: some plugins have their own order. */
const saidIn = (leaves: Record<string, unknown>) =>
  Object.entries(leaves).map(
    ([pointer, leaf]) => `${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/-')} ${JSON.stringify(leaf)}`,
  );

/** Changes one value, which its plugin rejects at first. */
async function change(kind: PluginKind, config: ConfigData, id: string, server: PluginServer): Promise<void> {
  const { name } = kind;
  const before = onDisk(server, serverFiles(kind, config));
  const other = await otherConfig(kind, config, id, server);
  const body = { config_data: other.config_data };
  await host.call('patch', `${name}/${id}`, body).set('If-Match', '"1"').expect(200);
  const stale = { status: 412, body: { code: 'stale_version' } };
  expect(await host.call('patch', `${name}/${id}`, body).set('If-Match', '"1"')).toMatchObject(stale);
  const target = { instance_id: server.instanceId };
  expect(await host.call('post', `${name}/${id}/apply`, target).set('If-Match', '"1"')).toMatchObject(stale);

  writePlugins(server, kind, other.refuses);
  expect(await applied(kind, id, server)).toMatchObject({
    status: 'failed',
    error: {
      code: 'plugin_failed',
      detail: expect.stringMatching(
        / did not load with .+\. Now the former files are back, and \w+ is loaded with them\.$/s,
      ),
    },
  });
  expect(onDisk(server, before)).toEqual(before);

  writePlugins(server, kind);
  expect(await applied(kind, id, server)).toMatchObject({ status: 'succeeded', is_loaded: true });
  expect(server.read(other.file)).toBe(other.content);
  expectOneChange(other.before, other.content);
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  it('with its defaults is written and read back, rolled back when rejected, and has the intended version', async () => {
    const { body } = await host.call('get', `${name}/defaults`).expect(200);
    const { config_data: config } = body as { config_data: ConfigData };
    await Promise.all(
      host.servers.map(async (server) => {
        const id = await bring(kind, config, server);
        await readBack(kind, config, server);
        await change(kind, config, id, server);
      }),
    );
  });

  it('with presets is written and read back, on one server or the other', async () => {
    const { body } = await host.call('get', `${name}/presets`).expect(200);
    const { data: presets } = body as Schemas['PluginConfigPresets'];
    const data = sampleOf(`presets of ${name}`, presets, { step: 3, labelOf: ({ name: preset }) => preset });
    await Promise.all(
      host.servers.map(async (server, place) => {
        for (const { config_data: config } of data.filter(
          (_, index) => index % host.servers.length === place,
        )) {
          await bring(kind, config, server);
          await readBack(kind, config, server);
        }
      }),
    );
  });
});

/** The difference of two texts is within one leaf of the first. */
function expectOneChange(before: string, after: string): void {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [from, to] = [start - mark.length, before.length - end - mark.length];
  const around = fileLeaves(before).filter(
    ({ node: { offset, length } }) => offset <= from && to <= offset + length,
  );
  expect(around).toHaveLength(1);
}
