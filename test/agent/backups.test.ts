// Backups as commands to a real agent: of a game that saves first, each carried out once, and finished over a kill.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from '../../agent/src/messages.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { FakeRcon } from './support/rcon.ts';
import { rustProgram, webrconAt } from './support/rust-instance.ts';

let stage: Stage;
let rcon: FakeRcon;
let root: string;

beforeEach(async () => {
  stage = await Stage.open();
  rcon = await FakeRcon.open();
  root = join(stage.agent.directory, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'map.sav'), 'map');
  const server = {
    program: rustProgram,
    args: ['--boot-ms', '60', '--play-ms', '0'],
    ready_pattern: 'Server startup complete',
    ...webrconAt(stage, rcon.port),
  };
  stage.agent.configure([{ root, ...server }], { backups_dir: join(stage.agent.directory, 'kept') });
  await stage.startAgent();
});
afterEach(async () => {
  const { violations } = stage.platform;
  await rcon.close();
  await stage.close();
  expect(violations).toEqual([]);
});

async function run(verb: Schemas['CommandVerb'], args: object): Promise<Schemas['CommandResult']> {
  const command = stage.platform.command(verb, 'main', { args: { ...args } });
  expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
  return stage.platform.resultOf(command.id);
}

const newestReport = () => stage.platform.backupReports.at(-1)?.backups ?? [];
const restoring = (backup_id: string, more: object = {}) => ({
  backup_id,
  keep_present: false,
  remove_later: false,
  stop: false,
  ...more,
});

/** The agent was at it when it was killed. */
async function killAt(command: Schemas['CommandEnvelope']): Promise<void> {
  const accepted = { is: 'accepted', at: Date.now(), command };
  const started = { is: 'started', at: Date.now(), id: command.id };
  await stage.agent.end('SIGKILL');
  writeFileSync(
    join(stage.agent.stateDirectory, 'journal.jsonl'),
    `${[accepted, started].map((record) => JSON.stringify(record)).join('\n')}\n`,
    { flag: 'a' },
  );
}

it('a server that runs is asked to save first; the news come before the result', async () => {
  await stage.platform.run('start');
  await stage.platform.untilLine('RCON is connected');
  const { command_id, status } = await run('create_backup', { kind: 'manual' });
  expect(status).toBe('succeeded');
  expect(rcon.commands).toContain('server.save');
  expect(newestReport()).toMatchObject([{ id: command_id, kind: 'manual', files: 1 }]);
});

it('a repeated command makes one backup, and backups are reported after each connect', async () => {
  const command = stage.platform.command('create_backup', 'main', { args: { kind: 'manual' } });
  await Promise.all([stage.platform.send(command), stage.platform.send(command)]);
  await stage.platform.resultOf(command.id);
  const archives = readdirSync(join(stage.agent.directory, 'kept/main')).filter((name) =>
    name.endsWith('.zip'),
  );
  expect(archives).toEqual([`${command.id}.zip`]);
  const before = stage.platform.backupReports.length;
  await stage.agent.end('SIGKILL');
  await stage.startAgent();
  await until(() => stage.platform.backupReports.length > before, 'the report');
  expect(newestReport()).toMatchObject([{ id: command.id }]);
});

it('what was being restored when the agent was killed is finished by the next, and so is the command', async () => {
  const { command_id } = await run('create_backup', { kind: 'manual' });
  // What a restoration leaves that is killed between two renames.
  const restore = stage.platform.command('restore_backup', 'main', { args: restoring(command_id) });
  await killAt(restore);
  const swaps = [{ path: 'map.sav', isNew: true }];
  mkdirSync(join(root, '.gantry-staging/new'), { recursive: true });
  mkdirSync(join(root, '.gantry-staging/old'));
  writeFileSync(join(root, '.gantry-staging/new/map.sav'), 'restored');
  writeFileSync(join(root, '.gantry-staging/old/0'), 'later');
  rmSync(join(root, 'map.sav'));
  writeFileSync(
    join(stage.agent.directory, 'kept/main/restoration.json'),
    JSON.stringify({ is: 'swapping', name: '.gantry-staging', operation: restore.id, swaps }),
  );
  await stage.startAgent();
  expect(await stage.platform.resultOf(restore.id)).toMatchObject({ status: 'succeeded' });
  expect(readFileSync(join(root, 'map.sav'), 'utf8')).toBe('restored');
  expect(readdirSync(root)).toEqual(['map.sav']);
});

it('a server that was stopped for a restoration is started again by the next agent', async () => {
  const { command_id } = await run('create_backup', { kind: 'manual' });
  const restore = stage.platform.command('restore_backup', 'main', { args: restoring(command_id) });
  await killAt(restore);
  writeFileSync(
    join(stage.agent.directory, 'kept/main/restoration.json'),
    JSON.stringify({ is: 'unpacking', name: '.gantry-staging', operation: restore.id, isToRun: true }),
  );
  await stage.startAgent();
  expect(await stage.platform.resultOf(restore.id)).toMatchObject({
    error_code: 'interrupted',
    detail: expect.stringMatching(/files are as they were.*is started again/),
  });
  await until(() => stage.platform.statesOf().at(-1)?.state === 'running', 'the start');
});

it('a server whose files are half restored is not started, until a restoration has set them right', async () => {
  const { command_id } = await run('create_backup', { kind: 'manual' });
  const restore = stage.platform.command('restore_backup', 'main', { args: restoring(command_id) });
  await killAt(restore);
  mkdirSync(join(root, '.gantry-staging/new/map.sav'), { recursive: true });
  mkdirSync(join(root, '.gantry-staging/old'));
  writeFileSync(join(root, '.gantry-staging/old/0'), 'was there');
  mkdirSync(join(root, 'later/in-the-way'), { recursive: true });
  const swaps = [
    { path: 'later', isNew: false },
    { path: 'map.sav/file', isNew: true },
  ];
  writeFileSync(
    join(stage.agent.directory, 'kept/main/restoration.json'),
    JSON.stringify({ is: 'swapping', name: '.gantry-staging', operation: restore.id, isToRun: true, swaps }),
  );
  await stage.startAgent();
  const untouched = { status: 'failed', detail: expect.stringContaining('the instance is not started') };
  expect(await stage.platform.resultOf(restore.id)).toMatchObject(untouched);
  expect(await run('restore_backup', restoring(command_id))).toMatchObject(untouched);
  expect(stage.platform.statesOf().filter(({ state }) => state === 'starting')).toEqual([]);
  rmSync(join(root, 'later'), { recursive: true });
  expect(await run('restore_backup', restoring(command_id))).toMatchObject({ status: 'succeeded' });
  expect(readFileSync(join(root, 'later'), 'utf8')).toBe('was there');
  expect(await stage.platform.run('start')).toMatchObject({ status: 'succeeded' });
});

it('a running server is not restored unless it may be stopped; a missing backup is reported', async () => {
  const { command_id } = await run('create_backup', { kind: 'manual' });
  await stage.platform.run('start');
  expect(await run('restore_backup', restoring(command_id))).toMatchObject({ error_code: 'still_running' });
  expect(await run('delete_backup', { backup_id: command_id })).toMatchObject({ status: 'succeeded' });
  expect(newestReport()).toEqual([]);
  expect(await run('restore_backup', restoring(command_id, { stop: true }))).toMatchObject({
    error_code: 'no_backup',
  });
  expect(stage.platform.statesOf().at(-1)?.state).toBe('running');
  expect(existsSync(join(root, 'map.sav'))).toBe(true);
});

it('arguments that are none are refused before anything happens', async () => {
  for (const [verb, args] of [
    ['create_backup', { kind: 'evil' }],
    ['delete_backup', { backup_id: '../x' }],
    ['restore_backup', {}],
  ] as const) {
    const reply = await stage.platform.send(stage.platform.command(verb, 'main', { args: { ...args } }));
    expect([verb, reply]).toMatchObject([verb, { accepted: false, reason: 'invalid' }]);
  }
  expect(await run('create_backup', { kind: 'manual', paths: ['../x'] })).toMatchObject({
    error_code: 'files_refused',
  });
});
