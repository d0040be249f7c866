// A Rust server that has been played in, and the wipes of it by a real agent.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schemas } from '../../../agent/src/messages.ts';
import { until } from '../../support/until.ts';
import { isAlive, Stage } from './agent.ts';
import type { InstanceSettings } from './agent.ts';
import { startRust } from './rust-instance.ts';

export type Status = Schemas['WipeStatus'];

/** The stage of the running test. */
export let stage: Stage;

/** Opens a stage for each test of the file. */
export function openStageForEachTest(): void {
  beforeEach(async () => {
    stage = await Stage.open();
  });

  afterEach(async () => {
    const { violations } = stage.platform;
    await stage.close();
    expect(violations).toEqual([]);
  });
}

export const brokenSeed = 666;
export const folder = (...names: string[]) => join(stage.agent.directory, 'server', 'main', ...names);
export const filesOf = () => readdirSync(folder()).sort();
export const oldMap = 'proceduralmap.3500.1337.262.map';
export const oldSave = 'proceduralmap.3500.1337.262.sav';
export const newMap = 'proceduralmap.4000.42.262.map';
export const newSave = 'proceduralmap.4000.42.262.sav';

export interface Options extends InstanceSettings {
  more?: string[];
  isStopped?: boolean;
}

/** The simulated server, running, with a world that has been played in. */
export async function startPlayed({
  more = [],
  isStopped = false,
  ...settings
}: Options = {}): Promise<void> {
  const map = ['+server.identity', 'main', '+server.seed', '1337', '+server.worldsize', '3500'];
  await startRust(stage, ['--broken-seed', String(brokenSeed), ...map, ...more], settings);
  writeFileSync(folder('player.states.5.db'), 'played');
  if (isStopped) await stage.platform.run('stop');
}

export function requestOf(request: Partial<Schemas['WipeRequest']> = {}): Schemas['WipeRequest'] {
  return { kind: 'map', countdown_seconds: 0, backup: false, start: false, ...request };
}

/** Sends the command and returns its result; the wipe continues after that. */
export async function send(request: Partial<Schemas['WipeRequest']> = {}, id: string = randomUUID()) {
  const command = stage.platform.command('wipe', 'main', {
    args: { wipe_id: id, request: requestOf(request) },
  });
  expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
  return { id, result: await stage.platform.resultOf(command.id) };
}

export async function begin(request: Partial<Schemas['WipeRequest']> = {}): Promise<string> {
  const { id, result } = await send(request);
  expect(result).toMatchObject({ status: 'succeeded' });
  return id;
}

export async function cancel(wipeId: string) {
  const command = stage.platform.command('cancel_wipe', 'main', { args: { wipe_id: wipeId } });
  await stage.platform.send(command);
  return stage.platform.resultOf(command.id);
}

/** Commands beside those of its power that need its files, or the running server, for themselves. */
export const disturbingCommands = () => [
  backupCommand(),
  stage.platform.command('restore_backup', 'main', {
    args: { backup_id: randomUUID(), keep_present: false, remove_later: false, stop: true },
  }),
  stage.platform.command('deliver', 'main', {
    args: {
      delivery_id: randomUUID(),
      transaction_id: randomUUID(),
      steam_id: '76561198000000001',
      player_name: 'Aster',
      item_name: 'VIP',
      quantity: 1,
      commands: ['inventory.giveto {steam_id} vip'],
      needs_online_player: false,
    },
  }),
];

export const backupCommand = () =>
  stage.platform.command('create_backup', 'main', { args: { kind: 'manual' } });

export const reportsOf = (id: string) => stage.platform.wipeReports.filter(({ wipe_id }) => wipe_id === id);

/** The first report with that status. */
export const untilWipe = (id: string, status: Status) =>
  until(
    () => reportsOf(id).find((report) => report.status === status),
    `the wipe ${status}, after ${JSON.stringify(reportsOf(id))}`,
  );

/** Each status once, in the order of the reports. */
export const statusesOf = (id: string): Status[] => [
  ...new Map(reportsOf(id).map(({ seq, status }) => [seq, status])).values(),
];

/** Maps of another world, before the tenth of which the stopping agent stops itself. */
export const otherMaps = Array.from({ length: 20 }, (_, index) => `proceduralmap.1000.${index + 1}.262.map`);
export const stoppingAgent = fileURLToPath(new URL('agent-that-stops.ts', import.meta.url));

export async function startStoppingAgent(): Promise<void> {
  await stage.agent.end('SIGKILL');
  await stage.startAgent({ program: stoppingAgent });
}

export const untilStopped = () =>
  until(
    () => /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${stage.agent.pid}/stat`, 'utf8')),
    'the agent to stop itself',
  );

export const asideOf = (id: string) => folder(`.gantry-wipe-${id}`);
export const textOf = (name: string) => readFileSync(folder(name), 'utf8');
export const chat = () => stage.platform.lines().filter(({ text }) => text.includes('[CHAT] SERVER'));

export async function endGame(): Promise<void> {
  const pid = stage.agent.starts().at(-1) ?? 0;
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'the end of the game server');
}

export const askPlan = (request: Partial<Schemas['WipeRequest']> = {}) =>
  stage.platform.request('WipePlanReply', 'ask.wipe-plan', {
    v: 1,
    host_id: stage.platform.hostId,
    instance: 'main',
    request: requestOf(request),
  });

export const sorted = (names: string[]) => names.toSorted();
export const oldFiles = () => filesOf().filter((name) => !name.endsWith('.sav.1'));

export const recordFile = () => join(stage.agent.stateDirectory, 'instances', 'main', 'wipe.json');
export const record = () => JSON.parse(readFileSync(recordFile(), 'utf8')) as Record<string, unknown>;
export const rewrite = (changes: object) =>
  writeFileSync(recordFile(), JSON.stringify({ ...record(), ...changes }));
