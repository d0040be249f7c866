// Instances that the platform has made from the templates of the agent's file: what the agent takes, keeps and refuses.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from '../../agent/src/messages.ts';
import { until } from '../support/until.ts';
import { gameFile } from './support/game-file.ts';
import { isAlive, Stage } from './support/agent.ts';

const parameters = {
  port: { type: 'port', minimum: 28015, maximum: 28017 },
  slots: { type: 'integer', minimum: 1, maximum: 64, default: 10 },
  mode: { type: 'choice', choices: ['pve', 'pvp'], default: 'pve' },
  title: { type: 'text', max_length: 20, default: 'A server' },
};
const args = [gameFile, '--port', '{{port}}', '{{title}}', '{{slots}}{{mode}}', '{{name}}'];

let stage: Stage;
let base: string;

async function open(): Promise<void> {
  stage = await Stage.open();
  base = join(stage.agent.directory, 'managed');
  configure();
  await stage.startAgent();
}

async function close(): Promise<void> {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
}

interface Changes {
  more?: Record<string, unknown>;
  templates?: Record<string, unknown>;
  names?: string[];
}

function configure({ more = {}, templates, names = ['main'] }: Changes = {}): void {
  const cwd = join(stage.agent.directory, 'files');
  mkdirSync(cwd, { recursive: true });
  const game = {
    command: process.execPath,
    args,
    env: { STARTS_FILE: join(stage.agent.directory, 'starts-{{name}}.txt') },
    ready_after_seconds: 20,
    ready_pattern: 'started ',
    stop_grace_seconds: 5,
    parameters,
  };
  const instances = names.map((name) => ({ name, cwd }));
  stage.agent.configure(instances, {
    managed_instances: { base_directory: base, maximum: 3, templates: templates ?? { game }, ...more },
  });
}

const create = (name: string, values: Record<string, string> = {}, template = 'game') =>
  stage.platform.run('create_instance', name, { template, parameters: values });
const change = (name: string, values: Record<string, string>, version?: number) =>
  stage.platform.run('change_instance', name, {
    parameters: values,
    ...(version !== undefined && { if_version: version }),
  });
const remove = (name: string, isWithFiles = false) =>
  stage.platform.run('delete_instance', name, { delete_files: isWithFiles });

const newestReport = () => stage.platform.managedReports.at(-1);
const reported = (name: string) => newestReport()?.instances.find((instance) => instance.name === name);

const succeeded = { status: 'succeeded' };
const failedWith = (code: Schemas['CommandResult']['error_code']) => ({ status: 'failed', error_code: code });

describe('what is asked for', () => {
  beforeAll(open);
  afterAll(close);

  it('reports the templates of the file, and with them what may be asked for', async () => {
    const report = await until(newestReport, 'the report');
    expect(report).toMatchObject({ maximum: 3, instances: [] });
    expect(report.templates).toEqual([
      {
        name: 'game',
        parameters: [
          { name: 'port', type: 'port', minimum: 28015, maximum: 28017 },
          { name: 'slots', type: 'integer', minimum: 1, maximum: 64, default: '10' },
          { name: 'mode', type: 'choice', choices: ['pve', 'pvp'], default: 'pve' },
          { name: 'title', type: 'text', max_length: 20, default: 'A server' },
        ],
      },
    ]);
  });

  it.each([
    ['a template that the file does not have', { template: 'other' }, 'invalid'],
    ['a parameter that the template does not have', { values: { exec: 'rm' } }, 'invalid'],
    ['an argument that would be an option', { values: { title: '-rm' } }, 'invalid'],
    ['a console variable', { values: { title: '+rcon.password' } }, 'invalid'],
    ['a second line', { values: { title: 'one\ntwo' } }, 'invalid'],
    ['a path', { values: { title: 'a/../../b' } }, 'invalid'],
    ['a text that is too long', { values: { title: 'x'.repeat(21) } }, 'invalid'],
    ['a number in another notation', { values: { slots: '0x10' } }, 'invalid'],
    ['a number beyond the limits', { values: { slots: '65' } }, 'invalid'],
    ['a port beyond the range', { values: { port: '80' } }, 'invalid'],
    ['a choice that is none', { values: { mode: 'pvx' } }, 'invalid'],
    ['the name of an instance of the file', { name: 'main' }, 'name_taken'],
  ] as const)('refuses %s, and makes nothing', async (_what, request, code) => {
    const {
      name = 'event',
      template = 'game',
      values = {},
    } = request as {
      name?: string;
      template?: string;
      values?: Record<string, string>;
    };
    expect(await create(name, values, template)).toMatchObject(failedWith(code));
    expect(newestReport()?.instances).toEqual([]);
    expect(existsSync(join(base, name))).toBe(false);
  });

  it.each([
    ['a name that leads elsewhere', { instance: '../x' }],
    ['a value of 10 KB', { args: { template: 'game', parameters: { title: 'x'.repeat(10_240) } } }],
    ['a directory', { args: { template: 'game', parameters: {}, directory: '/etc' } }],
    ['a command of its own', { args: { template: 'game', parameters: {}, command: '/bin/sh' } }],
  ])('refuses %s before it is journalled', async (_what, overrides) => {
    const { platform, agent } = stage;
    const envelope = platform.command('create_instance', 'event', {
      args: { template: 'game', parameters: {} },
      ...overrides,
    });
    expect(await platform.send(envelope)).toMatchObject({ accepted: false, reason: 'invalid' });
    expect(agent.journal()).not.toContain(envelope.id);
  });
});

describe('an instance', () => {
  beforeEach(open);
  afterEach(close);

  it('makes an instance in a directory of its own, runs it, changes it and deletes it', async () => {
    const { platform, agent } = stage;
    expect(await create('event', { title: 'Rusty $(id) `x`' })).toMatchObject(succeeded);
    expect(reported('event')).toMatchObject({
      template: 'game',
      parameters: { port: '28015', title: 'Rusty $(id) `x`' },
      version: 1,
    });
    expect(await platform.run('start', 'event')).toMatchObject(succeeded);
    const commandLine = () =>
      readFileSync(`/proc/${agent.starts('event').at(-1)}/cmdline`, 'utf8')
        .split('\0')
        .slice(2, -1);
    // Each value is part of one argument, with any content.
    expect(commandLine()).toEqual(['--port', '28015', 'Rusty $(id) `x`', '10pve', 'event']);
    expect(await platform.type('say hello', { instance: 'event' })).toMatchObject({ ok: true });

    expect(await change('event', { slots: '20' })).toMatchObject(succeeded);
    expect(reported('event')).toMatchObject({ parameters: { slots: '20', port: '28015' }, version: 2 });
    expect(commandLine()).toContain('10pve');
    expect(await remove('event')).toMatchObject(failedWith('still_running'));
    expect(await platform.run('restart', 'event')).toMatchObject(succeeded);
    expect(commandLine()).toContain('20pve');

    expect(await platform.run('stop', 'event')).toMatchObject(succeeded);
    writeFileSync(join(base, 'event', 'save.db'), 'world');
    expect(await remove('event')).toMatchObject(succeeded);
    expect(newestReport()?.instances).toEqual([]);
    expect(existsSync(join(agent.stateDirectory, 'instances', 'event'))).toBe(false);
    expect(await platform.tail({ instance: 'event' })).toMatchObject({ error: { code: 'unknown_instance' } });

    // Its directory stays, and is used again.
    expect(await create('event')).toMatchObject(succeeded);
    expect(readFileSync(join(base, 'event', 'save.db'), 'utf8')).toBe('world');
    expect(await remove('event', true)).toMatchObject(succeeded);
    await until(() => !existsSync(join(base, 'event')), 'the directory to go');
  });

  it('keeps ports, names, the number and versions apart', async () => {
    expect(await create('one')).toMatchObject(succeeded);
    expect(await create('one')).toMatchObject(failedWith('name_taken'));
    expect(await create('two', { port: '28015' })).toMatchObject(failedWith('invalid'));
    expect(await create('two')).toMatchObject(succeeded);
    expect(await change('two', { port: '28015' })).toMatchObject(failedWith('invalid'));
    expect(await change('two', { slots: '5' }, 7)).toMatchObject(failedWith('version_conflict'));
    expect(await create('three')).toMatchObject(succeeded);
    expect(await create('four')).toMatchObject(failedWith('limit_reached'));
    expect(['one', 'two', 'three'].map((name) => reported(name)?.parameters['port'])).toEqual([
      '28015',
      '28016',
      '28017',
    ]);
    for (const verb of ['change_instance', 'delete_instance'] as const) {
      const args = verb === 'change_instance' ? { parameters: {} } : { delete_files: true };
      expect(await stage.platform.run(verb, 'main', args)).toMatchObject(failedWith('not_supported'));
    }
  });

  it('makes none where a link stands in its place', async () => {
    const elsewhere = join(stage.agent.directory, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(base);
    symlinkSync(elsewhere, join(base, 'event'));
    expect(await create('event')).toMatchObject(failedWith('files_refused'));
    expect(newestReport()?.instances).toEqual([]);
  });

  it('knows its instances again after it was killed, and a running server keeps running', async () => {
    const { agent, platform } = stage;
    await create('event');
    await platform.run('start', 'event');
    await agent.end('SIGKILL');
    const [pid = 0] = agent.starts('event');
    expect(isAlive(pid)).toBe(true);
    await stage.startAgent();
    expect(platform.hellos.at(-1)?.instances).toEqual(['main', 'event']);
    expect(await platform.run('start', 'event')).toMatchObject(succeeded);
    expect(agent.starts('event')).toEqual([pid]);
  });

  // The journal says that a command was begun; what is on disk says how far it came.
  it.each([
    ['before anything was written', () => undefined],
    ['with nothing but the directory', () => mkdirSync(join(base, 'event'), { recursive: true })],
  ])('finishes making an instance that it was killed at, %s', async (_what, leave) => {
    const { agent, platform } = stage;
    const command = platform.command('create_instance', 'event', {
      args: { template: 'game', parameters: {} },
    });
    await agent.end('SIGKILL');
    leave();
    writeBegun(command);
    await stage.startAgent();
    expect(await platform.resultOf(command.id)).toMatchObject(succeeded);
    await until(() => reported('event'), 'the instance in a report');
    expect(await platform.run('start', 'event')).toMatchObject(succeeded);
  });

  it.each([
    ['before anything was done', () => undefined],
    ['with its files set aside', (id: string) => renameAside(id)],
    ['with its record gone', (id: string) => (renameAside(id), emptyDefinitions())],
  ])('finishes deleting an instance that it was killed at, %s', async (_what, leave) => {
    const { agent, platform } = stage;
    await create('event');
    const command = platform.command('delete_instance', 'event', { args: { delete_files: true } });
    await agent.end('SIGKILL');
    leave(command.id);
    writeBegun(command);
    await stage.startAgent();
    expect(await platform.resultOf(command.id)).toMatchObject(succeeded);
    await until(() => newestReport()?.instances.length === 0, 'a report without it');
    await until(() => !existsSync(join(base, `.gantry-removed-${command.id}`)), 'its files to go');
    expect(existsSync(join(base, 'event'))).toBe(false);
    expect(existsSync(join(agent.stateDirectory, 'instances', 'event'))).toBe(false);
  });

  it.each([
    [
      'its template is gone',
      { templates: { other: { command: '/bin/true' } } },
      /no template "game" any more/,
    ],
    [
      'its value is not allowed any more',
      {
        templates: {
          game: {
            command: '/bin/true',
            args: ['{{port}}'],
            parameters: { port: { type: 'port', minimum: 1, maximum: 2 } },
          },
        },
      },
      /The template has changed/,
    ],
  ])(
    'shows an instance, starts it no more, stops and deletes it once %s',
    async (_what, changes, problem) => {
      const { agent, platform } = stage;
      await create('event');
      await platform.run('start', 'event');
      const [pid = 0] = agent.starts('event');
      await agent.end();
      configure(changes);
      await stage.startAgent();
      await until(() => reported('event')?.problem?.match(problem), 'the problem');
      expect(await platform.run('restart', 'event')).toMatchObject(failedWith('start_failed'));
      expect(isAlive(pid)).toBe(true);
      expect(await platform.run('stop', 'event')).toMatchObject(succeeded);
      expect(await platform.run('start', 'event')).toMatchObject(failedWith('start_failed'));
      expect(await remove('event')).toMatchObject(succeeded);
    },
  );

  it('lets the file win over an instance of the same name', async () => {
    const { agent, platform } = stage;
    await create('event');
    await agent.end();
    configure({ names: ['main', 'event'] });
    await stage.startAgent();
    expect(platform.hellos.at(-1)?.instances).toEqual(['main', 'event']);
    await until(() => newestReport()?.instances.length === 0, 'a report without it');
    await agent.untilOutput('the file wins');
    expect(await remove('event', true)).toMatchObject(failedWith('not_supported'));
  });

  it('allows none where the file has no such section', async () => {
    await stage.agent.end();
    stage.agent.configure([{}]);
    const before = stage.platform.managedReports.length;
    await stage.startAgent();
    await until(() => stage.platform.managedReports.length > before, 'the report');
    expect(newestReport()).toMatchObject({ maximum: 0, templates: [], instances: [] });
    expect(await create('event')).toMatchObject(failedWith('not_supported'));
  });

  it('does not start rather than forget instances whose record is damaged', async () => {
    const { agent } = stage;
    await create('event');
    await agent.end();
    writeFileSync(join(agent.stateDirectory, 'managed-instances.json'), '{"v":1,"inst');
    stage.launchAgent();
    expect(await agent.exit()).toBe(1);
    expect(agent.output).toContain('cannot be read');
  });
});

function writeBegun(command: Schemas['CommandEnvelope']): void {
  const records = [
    { is: 'accepted', at: Date.now(), command },
    { is: 'started', at: Date.now(), id: command.id },
  ];
  const file = join(stage.agent.stateDirectory, 'journal.jsonl');
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''), { flag: 'a' });
}

function renameAside(id: string): void {
  mkdirSync(join(base, `.gantry-removed-${id}`));
  rmSync(join(base, 'event'), { recursive: true });
}

function emptyDefinitions(): void {
  writeFileSync(
    join(stage.agent.stateDirectory, 'managed-instances.json'),
    JSON.stringify({ v: 1, instances: [] }),
  );
}
