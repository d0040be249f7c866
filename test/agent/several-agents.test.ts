// One agent process for several licenses: each has its own identity, state and instances, and none stops the others.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFilesOf } from '../../agent/src/command-line.ts';
import { readConfig } from '../../agent/src/config.ts';
import { Enrolments } from '../../agent/src/several-agents.ts';
import { createAgentLog } from '../../agent/src/log.ts';
import { SettingError } from '../../agent/src/errors.ts';
import { until } from '../support/until.ts';
import { AgentProcess, isAlive } from './support/agent.ts';
import { gameFile } from './support/game-file.ts';
import { NatsServer } from './support/nats-server.ts';
import { StandInPlatform } from './support/platform.ts';

/** An agent that was not installed. */
const own = { installation: undefined, isShared: true, restart: () => Promise.resolve() };

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-enrolments-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Enrolment {
  url?: string;
  token?: string;
  [setting: string]: unknown;
}

/** Everything of an enrolment lies in a directory of its name. */
function configure(
  name: string,
  { url = 'http://127.0.0.1:1', token = 'gtc_x', ...more }: Enrolment = {},
): string {
  const home = join(directory, name);
  mkdirSync(join(home, 'game'), { recursive: true });
  writeFileSync(join(home, 'token'), token);
  const file = join(directory, `${name}.yaml`);
  const instance = {
    name: 'main',
    command: process.execPath,
    args: [gameFile],
    cwd: join(home, 'game'),
    env: { STARTS_FILE: join(directory, `starts-${name}.txt`) },
    ready_after_seconds: 20,
    ready_pattern: 'started ',
  };
  const own = { url, token_file: join(home, 'token'), state_dir: join(home, 'state'), instances: [instance] };
  writeFileSync(file, JSON.stringify({ ...own, ...more }));
  return file;
}

const flagsOf = (files: readonly string[]) => files.flatMap((file) => ['--config', file]);

describe('two licenses on one process', () => {
  let nats: NatsServer;
  let platforms: [StandInPlatform, StandInPlatform];
  let agent: AgentProcess;

  beforeEach(async () => {
    nats = await NatsServer.start(directory);
    platforms = [
      await StandInPlatform.start({ natsUrl: nats.url }),
      await StandInPlatform.start({ natsUrl: nats.url }),
    ];
    agent = new AgentProcess(directory);
  });
  afterEach(async () => {
    await agent.end('SIGKILL');
    for (const pid of agent.allStarts()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    for (const platform of platforms) await platform.close();
    await nats.stop();
  });

  const start = (files: readonly string[]) =>
    agent.start({ GANTRY_AGENT_STATE: '' }, { args: flagsOf(files), isFileNamed: false });
  const files = () => platforms.map(({ url, token }, index) => configure(`license-${index}`, { url, token }));
  const starts = (index: number) => agent.starts(`license-${index}`);

  it('keeps them apart, and finds both again after it was killed', async () => {
    const [first, second] = platforms;
    const configured = files();
    start(configured);
    for (const { hellos } of platforms) await until(() => hellos.length > 0, 'both to be greeted');
    expect(new Set(platforms.map(({ sessions }) => sessions.at(-1)?.['public_key'])).size).toBe(2);

    expect(await first.run('start')).toMatchObject({ status: 'succeeded' });
    expect([starts(0).length, starts(1).length]).toEqual([1, 0]);
    expect(second.results).toEqual([]);
    expect(second.statesOf('main').filter(({ state }) => state !== 'stopped')).toEqual([]);
    expect(await second.run('start')).toMatchObject({ status: 'succeeded' });
    // What is meant for the one is no command of the other.
    const foreign = second.command('stop', 'main', { host_id: first.hostId });
    expect(await second.send(foreign)).toMatchObject({ accepted: false, reason: 'invalid' });

    await agent.end('SIGKILL');
    const before = platforms.map(({ hellos }) => hellos.length);
    start(configured);
    for (const [index, { hellos }] of platforms.entries())
      await until(() => hellos.length > (before[index] ?? 0), 'both to be greeted again');
    for (const platform of platforms)
      expect(await platform.run('start')).toMatchObject({ status: 'succeeded' });
    expect([starts(0).length, starts(1).length]).toEqual([1, 1]);
    for (const { violations } of platforms) expect(violations).toEqual([]);
    expect(agent.output).toContain('"enrolment":"license-0"');
    expect(agent.output).toContain('"enrolment":"license-1"');
  });

  it('runs the valid one while others have a refused token, a damaged file or a damaged state', async () => {
    const [first, second] = platforms;
    const [good = '', refused = ''] = files();
    writeFileSync(join(directory, 'license-1', 'token'), 'gtc_wrong');
    const damaged = join(directory, 'damaged.yaml');
    writeFileSync(damaged, 'instances: [');
    const spoiled = configure('spoiled');
    mkdirSync(join(directory, 'spoiled', 'state'));
    writeFileSync(join(directory, 'spoiled', 'state', 'managed-instances.json'), '{');
    start([damaged, spoiled, refused, good]);
    await until(() => first.hellos.length > 0, 'the good one to be greeted');
    await agent.untilOutput('the platform refuses the companion token');
    await agent.untilOutput('this enrolment could not be read');
    await agent.untilOutput('this enrolment could not be started');
    expect(second.hellos).toEqual([]);
    expect(await first.run('start')).toMatchObject({ status: 'succeeded' });
    expect(await agent.end()).toBe(0);
  });

  it('serves every file of a directory', async () => {
    files();
    start([directory]);
    for (const { hellos } of platforms) await until(() => hellos.length > 0, 'both to be greeted');
  });
});

it('tries a file again that could not be read', async () => {
  const [first, second] = [configure('first'), configure('second')];
  let faults = 2;
  const read = (file: string) => {
    if (file === second && faults-- > 0) throw new SettingError('not yet');
    return readConfig([], {}, file);
  };
  const lines: string[] = [];
  const log = createAgentLog({ write: (line) => void lines.push(line) });
  const enrolments = new Enrolments({
    files: [first, second],
    read,
    agentVersion: '0',
    own,
    log,
    retryMs: 10,
  });
  await enrolments.start();
  const started = () => lines.filter((line) => line.includes('"agent started"'));
  await until(() => started().length === 2, 'the second to start');
  await enrolments.stop('shutdown');
  expect(started()[1]).toContain('"enrolment":"second"');
});

describe('what two files may not share', () => {
  const faultOf = async (files: string[]): Promise<string> => {
    const log = createAgentLog({ write: () => undefined });
    const read = (file: string) => readConfig([], {}, file);
    const enrolments = new Enrolments({ files, read, agentVersion: '0', own, log });
    try {
      await enrolments.start();
      return '';
    } catch (error) {
      if (error instanceof SettingError) return error.message;
      throw error;
    } finally {
      await enrolments.stop('shutdown');
    }
  };
  const instance = (cwd: string) => ({ instances: [{ name: 'main', command: '/bin/true', cwd }] });

  it.each([
    ['a state directory', () => ({ state_dir: join(directory, 'first', 'state') }), 'state_dir'],
    [
      'a directory of backups',
      () => ({ backups_dir: join(directory, 'first', 'state', 'x') }),
      'backups_dir',
    ],
    [
      'the files of an instance',
      () => instance(join(directory, 'first', 'game', 'below')),
      'cwd of the instance',
    ],
    ['what lies above them', () => instance(directory), 'cwd of the instance'],
    [
      'them over a link',
      () => {
        symlinkSync(join(directory, 'first', 'game'), join(directory, 'link'));
        return instance(join(directory, 'link'));
      },
      'cwd of the instance',
    ],
    [
      'a base directory of templates',
      () => ({
        managed_instances: {
          base_directory: join(directory, 'first'),
          templates: { x: { command: '/bin/true' } },
        },
      }),
      'managed_instances/base_directory',
    ],
  ])('refuses %s', async (_what, more, words) => {
    const first = configure('first');
    const fault = await faultOf([first, configure('second', more())]);
    expect(fault).toContain(words);
    expect(fault).toContain(`in ${first}`);
  });

  it.each([['before'], ['after']])(
    'refuses a token among the files of an instance named %s it',
    async (when) => {
      const token = join(directory, 'first', 'game', 'token');
      const files = [configure('first'), configure('second', { token_file: token })];
      writeFileSync(token, 'gtc_y');
      const fault = await faultOf(when === 'before' ? files : files.toReversed());
      expect(fault).toContain(`settings of ${files[1] ?? ''}: ${token} overlaps`);
    },
  );
});

it.each([
  ['GANTRY_COMPANION_TOKEN', { GANTRY_COMPANION_TOKEN: 'gtc_x' }, []],
  ['GANTRY_AGENT_STATE', { GANTRY_AGENT_STATE: '/x' }, []],
  ['--hostname', {}, ['--hostname', 'x']],
])('refuses %s, which can only be of one', (setting, environment, flags) => {
  const args = [...flagsOf([configure('first'), configure('second')]), ...flags];
  expect(() => configFilesOf(args, environment)).toThrow(`${setting}: with several`);
});

it('refuses a file that is named twice and a directory without files', () => {
  const first = configure('first');
  expect(() => configFilesOf(flagsOf([first, first]), {})).toThrow('named twice');
  expect(() => configFilesOf(flagsOf([join(directory, 'first', 'game'), first]), {})).toThrow('no YAML file');
});
