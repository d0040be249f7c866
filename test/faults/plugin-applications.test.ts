// Applications of plugin configurations while the agent or the platform is killed: files are whole, and the
// record is right.
import { readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import { killedProgram, Moments, type Moment } from '../support/moments.ts';
import { PluginHost, pluginSource, type Application } from '../support/plugin-host.ts';
import { Program } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { jwtSecret } from '../support/world.ts';

type Schemas = components['schemas'];

interface Kind {
  name: string;
  plugin: string;
  /** The existing files, in the order in which they are written. */
  old: Readonly<Record<string, string>>;
  config: object;
}

const kits: Kind = {
  name: 'kits',
  plugin: 'Kits',
  old: {
    'data/Kits/kits_data.json': '{"_kits": {}}\n',
    'config/Kits.json': '{"Kit chat command": "kit"}\n',
  },
  config: {
    kits: { Marked: { items: [{ shortname: 'wood', amount: 500, container: 'main' }] } },
    settings: { chat_command: 'marked' },
  },
};

/** Unlike the other plugin, it is unloaded before its files are written. */
const chat: Kind = {
  name: 'chat',
  plugin: 'BetterChat',
  old: {
    'data/BetterChat.json': '[{"GroupName": "default"}]\n',
    'config/BetterChat.json': '{"Maximal Titles": 3}\n',
  },
  config: { groups: [{ group: 'default', title: { text: '[New]' } }], settings: { max_titles: 7 } },
};

const pluginKinds = kindDefinitions.map((kind) =>
  kind.name === chat.name ? { ...kind, isWrittenOnUnload: true } : kind,
);

let host: PluginHost;
let moments: Moments;

/** A server that has loaded the old files, and a configuration to apply. */
async function prepare({ name, plugin, old, config }: Kind, refuses?: string) {
  for (const [file, text] of Object.entries(old)) host.write(file, text);
  const reads = Object.keys(old).flatMap((file) => /^data\/(.*)\.json$/.exec(file)?.[1] ?? []);
  host.write(`plugins/${plugin}.cs`, pluginSource(plugin, { reads, ...(refuses && { refuses }) }));
  await untilLoaded(plugin);
  const { id } = await host.create(name, config);
  const { body } = await host
    .call('post', `${name}/${id}/preview`, { instance_id: host.instanceId })
    .expect(200);
  const { files } = body as Schemas['PluginConfigPreview'];
  const expected = { old, new: Object.fromEntries(files.map(({ file, content }) => [file, content])) };
  return { id, expected };
}

const present = (old: Kind['old']) =>
  Object.fromEntries(Object.keys(old).map((file) => [file, host.read(file)]));

function untilLoaded(plugin: string): Promise<unknown> {
  return until(async () => {
    const path = `/api/instances/${host.instanceId}/plugins`;
    const { status, body } = await host.world.call('get', path, host.tenant.owner);
    if (status !== 200) return false;
    return (body as Schemas['PluginList']).data.find(({ name }) => name === plugin)?.state === 'loaded';
  }, `${plugin} loaded`);
}

/** Common to every outcome: nothing is left over, and the agent started it at most once. */
async function expectTidy({ plugin, old }: Kind, { id, command_id }: Application): Promise<void> {
  await untilLoaded(plugin);
  for (const file of Object.keys(old))
    expect(readdirSync(dirname(host.server.pathOf(file))).filter((name) => name.startsWith('.'))).toEqual([]);
  const rows = await host.world.database.query<{ id: string; status: string }>(
    `select id, status from command where kind = 'apply_plugin_files' and created_at >=
       (select created_at from plugin_application where id = $1)`,
    [id],
  );
  expect(rows.map((row) => row.id)).toEqual(command_id === null ? [] : [command_id]);
  const started = host.agent
    .journal()
    .split('\n')
    .filter((line) => line.includes('"started"') && line.includes(command_id ?? 'none'));
  expect(started).toHaveLength(command_id === null ? 0 : 1);
}

describe('an agent that is killed', () => {
  beforeAll(async () => {
    host = await PluginHost.open({ heartbeatIntervalSeconds: 1, pluginKinds });
    moments = new Moments(host.agent.directory);
    await restart();
    await host.startServer();
  });
  afterAll(() => host.close());

  async function restart(): Promise<void> {
    await host.agent.end('SIGKILL');
    host.startAgent(killedProgram, moments.environmentOf('agent/src/main.ts'));
  }

  interface Case {
    moment: Moment;
    kind?: Kind;
    /** Whether the plugin rejects the new files. */
    isRefused?: boolean;
    files: 'old' | 'new';
    ended: object;
  }

  const record = (phase: string): Pick<Moment, 'call' | 'about'> => ({
    call: 'rename',
    about: `record\\.json .*"phase":"${phase}"`,
  });
  const interrupted = (detail: string) => ({
    status: 'failed',
    detail: null,
    error: { code: 'interrupted', detail: expect.stringContaining(detail) },
  });
  const untouched = { files: 'old' as const, ended: interrupted('before it had changed anything') };
  const putBack = { files: 'old' as const, ended: interrupted('the former files are back') };
  const carriedOut = {
    files: 'new' as const,
    ended: {
      status: 'succeeded',
      detail: '2 files are written. Kits 1.0.0 is loaded.',
      error: null,
      is_loaded: true,
      remarks: [],
    },
  };
  const refused = {
    isRefused: true,
    files: 'old' as const,
    ended: {
      status: 'failed',
      detail: null,
      error: {
        code: 'plugin_failed',
        detail: expect.stringMatching(
          /out of range.* Now the former files are back, and Kits is loaded with them\./,
        ),
      },
    },
  };

  const cases: Record<string, Case> = {
    'before it reads a file for the platform': {
      moment: { call: 'open', about: '/kits_data\\.json$' },
      files: 'old',
      ended: {
        status: 'failed',
        error: { code: expect.stringMatching(/^agent_(timeout|offline)$/) },
        command_id: null,
      },
    },
    'before it looks at what was uploaded': { moment: { call: 'readFile', about: '/upload-' }, ...untouched },
    'once one former file is kept': {
      moment: { call: 'rename', about: '/former-.*-0$', isAfter: true },
      ...untouched,
    },
    'once all former files are kept': { moment: record('writing'), ...untouched },
    'once it has noted that it writes': { moment: { ...record('writing'), isAfter: true }, ...putBack },
    'before the first file is in its place': {
      moment: { call: 'rename', about: '/kits_data\\.json$' },
      ...putBack,
    },
    'once the first file is in its place': {
      moment: { call: 'rename', about: '/kits_data\\.json$', isAfter: true },
      ...putBack,
    },
    'once it has had the plugin unloaded': {
      moment: { call: 'send', about: 'unload BetterChat', isAfter: true },
      kind: chat,
      ...putBack,
    },
    'between unloading and writing': {
      moment: { call: 'rename', about: '/BetterChat\\.json$' },
      kind: chat,
      ...putBack,
    },
    'between writing and noting that all is written': { moment: record('loading'), ...putBack },
    'once all files are written': { moment: { ...record('loading'), isAfter: true }, ...carriedOut },
    'before it has the plugin loaded': { moment: { call: 'send', about: 'reload Kits' }, ...carriedOut },
    'while the plugin loads': {
      moment: { call: 'send', about: 'reload Kits', isAfter: true },
      ...carriedOut,
    },
    'once the plugin is loaded': { moment: record('over'), ...carriedOut },
    'once it has noted the end': { moment: { ...record('over'), isAfter: true }, ...carriedOut },
    'once the plugin has refused the files': {
      moment: { ...record('taking_back'), isAfter: true },
      ...refused,
    },
    'once one former file is back': {
      moment: { call: 'rename', about: '/kits_data\\.json$', nth: 2, isAfter: true },
      ...refused,
    },
    'before the plugin gets its former files': {
      moment: { call: 'send', about: 'oxide\\.load Kits' },
      ...refused,
    },
    'once the plugin has its former files': { moment: record('over'), ...refused },
  };

  it.each(Object.entries(cases))('%s', async (_, { moment, kind = kits, isRefused, files, ended }) => {
    const { id, expected } = await prepare(kind, isRefused === true ? '"Marked"' : undefined);
    moments.arm(moment);
    const applicationId = await host.beginToApply(kind.name, id);
    await host.agent.exit();
    await restart();
    const application = await host.endOf(applicationId);
    expect(application).toMatchObject(ended);
    expect(present(kind.old)).toEqual(expected[files]);
    await expectTidy(kind, application);
  });

  it('reports files that cannot be rolled back, and writes nothing else before they are', async () => {
    const { id, expected } = await prepare(kits);
    moments.arm({ call: 'rename', about: '/kits_data\\.json$', isAfter: true });
    const first = await host.beginToApply('kits', id);
    await host.agent.exit();
    const store = join(host.agent.stateDirectory, 'instances', host.server.framework, 'plugin-files');
    const kept = readdirSync(store).filter((name) => name.startsWith('former-'));
    for (const name of kept) rmSync(join(store, name));
    await restart();
    const stuck = /not all of the former files are back \(.*kits_data\.json/;
    expect(await host.endOf(first)).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', detail: expect.stringMatching(stuck) },
    });
    expect(await host.apply('kits', id)).toMatchObject({
      status: 'failed',
      error: { code: 'files_refused', detail: expect.stringMatching(stuck) },
    });
    // An operator restores it.
    const [data = ''] = Object.keys(kits.old);
    host.write(data, kits.old[data] ?? '');
    expect(await host.apply('kits', id)).toMatchObject(carriedOut.ended);
    expect(present(kits.old)).toEqual(expected.new);
  });
});

describe('a platform that is killed', () => {
  let platform: Program;

  beforeAll(async () => {
    host = await PluginHost.open({ heartbeatIntervalSeconds: 1, roles: ['api'], prepare: startPlatform });
    await host.startServer();
  });
  afterAll(async () => {
    await platform.signal('SIGKILL');
    await host.close();
  });

  async function startPlatform({
    agent: { directory },
    world: { database, nats, storageDirectory, url },
  }: PluginHost): Promise<void> {
    moments = new Moments(directory);
    await writeFile(join(directory, 'keys.json'), JSON.stringify(nats.keys), { mode: 0o600 });
    platform = Program.platform(
      {
        DATABASE_URL: database.url,
        NATS_URL: nats.url,
        GANTRY_NATS_KEYS: join(directory, 'keys.json'),
        GANTRY_BUS_PREFIX: nats.prefix,
        GANTRY_JWT_SECRET: jwtSecret,
        GANTRY_SEALING_SECRET: jwtSecret,
        GANTRY_DATA_DIR: join(directory, 'platform'),
        GANTRY_PUBLIC_URL: url,
        GANTRY_STORAGE_DIR: storageDirectory,
        GANTRY_ROLES: 'jobs,ingest',
        GANTRY_HEARTBEAT_SECONDS: '1',
        LOG_LEVEL: 'warn',
        ...moments.environmentOf('src/main.ts'),
      },
      killedProgram,
    );
    await platform.start();
  }

  const asked = (subject: string): Moment => ({ call: 'write', about: `PUB gantry\\.\\S+\\.${subject} ` });
  const statement = (sql: string): Moment => ({ call: 'write', about: sql });

  const cases: Record<string, Moment> = {
    'before it reads a file': asked('ask\\.file-download'),
    'while it reads a file': { ...asked('ask\\.file-download'), isAfter: true },
    'before it uploads a file': asked('ask\\.file-upload-plugin-file'),
    'once it has uploaded a file': { ...asked('ask\\.file-finish'), isAfter: true },
    'before it writes the command': statement('insert into "command"'),
    'before it sends the command': asked('cmd\\.apply_plugin_files'),
    'once it has sent the command': { ...asked('cmd\\.apply_plugin_files'), isAfter: true },
    'before it writes what became of the command': statement('update plugin_application as application'),
    'while it reads the files back': { ...asked('ask\\.file-download'), nth: 3, isAfter: true },
    'before it writes the end': { ...statement('update "plugin_application" set'), nth: 2 },
  };

  it.each(Object.entries(cases))('%s', async (_, moment) => {
    const { id, expected } = await prepare(kits);
    moments.arm(moment);
    const applicationId = await host.beginToApply('kits', id);
    await platform.ended();
    await platform.start();
    // Jobs and results of a dead process are taken over after a time limit.
    const application = await host.endOf(applicationId, 80_000);
    expect(application).toMatchObject({
      status: 'succeeded',
      detail: '2 files are written. Kits 1.0.0 is loaded.',
      is_loaded: true,
      remarks: [],
      error: null,
    });
    expect(present(kits.old)).toEqual(expected.new);
    await expectTidy(kits, application);
  });
});
