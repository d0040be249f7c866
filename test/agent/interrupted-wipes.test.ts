// Wipes that the next agent continues after the first one was killed.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { isAlive } from './support/agent.ts';

import {
  openStageForEachTest,
  stage,
  brokenSeed,
  folder,
  filesOf,
  oldMap,
  newMap,
  newSave,
  startPlayed,
  requestOf,
  begin,
  cancel,
  reportsOf,
  untilWipe,
  statusesOf,
  otherMaps,
  startStoppingAgent,
  untilStopped,
  asideOf,
  textOf,
  chat,
  endGame,
  oldFiles,
  recordFile,
  record,
  rewrite,
} from './support/wiped-server.ts';

openStageForEachTest();

describe('an agent that is killed', () => {
  /** It has a new world, the server runs, and nothing is left over. */
  async function expectWiped(id: string): Promise<void> {
    await untilWipe(id, 'completed');
    await until(() => !existsSync(asideOf(id)), 'that what was set aside is deleted');
    expect(existsSync(folder(newMap))).toBe(true);
    expect(existsSync(folder(oldMap))).toBe(false);
    expect(textOf('player.states.5.db')).not.toBe('played');
    expect(statusesOf(id).filter((status) => status === 'completed')).toHaveLength(1);
    expect(stage.agent.starts().filter(isAlive)).toHaveLength(1);
    expect(await stage.platform.run('stop')).toMatchObject({ status: 'succeeded' });
  }

  const fresh = { seed: 42, world_size: 4000 };

  test.each(['planned', 'announcing'] as const)('while it is %s continues it', async (status) => {
    await startPlayed();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    await stage.agent.end('SIGKILL');
    rewrite({ status, dueAtMs: Date.now() + 1_000 });
    await stage.startAgent();
    await expectWiped(id);
    expect(chat()).toHaveLength(1);
  });

  test('for too long after it was due does not begin it', async () => {
    await startPlayed();
    const before = filesOf();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    await stage.agent.end('SIGKILL');
    rewrite({ dueAtMs: Date.now() - 11 * 60_000 });
    await stage.startAgent();
    const failed = await untilWipe(id, 'failed');
    expect(failed).toMatchObject({ error_code: 'expired', detail: expect.stringContaining('11 minutes') });
    expect(filesOf()).toEqual(before);
    expect(stage.agent.starts()).toHaveLength(1);
    expect(await stage.platform.run('restart')).toMatchObject({ status: 'succeeded' });
  });

  test('while it is cancelled receives the cancellation before it begins', async () => {
    await startPlayed();
    const before = filesOf();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    await stage.agent.end('SIGKILL');
    rewrite({ dueAtMs: Date.now() - 1_000 });
    await stage.startAgent();
    expect(await cancel(id)).toMatchObject({ status: 'succeeded' });
    await untilWipe(id, 'cancelled');
    expect(statusesOf(id)).not.toContain('stopping');
    expect(filesOf()).toEqual(before);
    expect(stage.agent.starts()).toHaveLength(1);
  });

  test('while the server is stopping stops it after all', async () => {
    await startPlayed({ more: ['--stop-ms', '90000'], stop_grace_seconds: 60 });
    const id = await begin(fresh);
    await untilWipe(id, 'stopping');
    await stage.platform.untilState('stopping');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    expect(reportsOf(id).at(-1)?.status).toBe('stopping');
    await endGame();
    await untilWipe(id, 'completed');
    expect(existsSync(folder(newMap))).toBe(true);
  });

  test('while it backs up makes the backup again', async () => {
    await startPlayed({ isStopped: true });
    const large = folder('Log.Large.txt');
    writeFileSync(large, '');
    truncateSync(large, 4 * 1024 ** 3);
    const id = await begin({ ...fresh, backup: true, start: true });
    await untilWipe(id, 'backing_up');
    await stage.agent.end('SIGKILL');
    expect(record()).toMatchObject({ status: 'backing_up', hasBackup: false });
    truncateSync(large, 0);
    await stage.startAgent();
    await expectWiped(id);
    expect(readdirSync(join(stage.agent.stateDirectory, 'backups', 'main')).toSorted()).toEqual([
      `${id}.json`,
      `${id}.zip`,
    ]);
  });

  test('while it deletes takes the rest, and nothing twice', async () => {
    await startPlayed();
    for (const name of otherMaps) writeFileSync(folder(name), 'old');
    await startStoppingAgent();
    const id = await begin(fresh);
    await untilStopped();
    const moved = readdirSync(asideOf(id)).filter((name) => otherMaps.includes(name));
    await stage.agent.end('SIGKILL');
    expect(moved).toHaveLength(9);
    expect(record()).toMatchObject({ status: 'deleting' });
    await stage.startAgent();
    await expectWiped(id);
    expect(reportsOf(id).at(-1)).toMatchObject({ file_count: 9 + otherMaps.length });
  });

  test('while the server starts finds it, and deletes nothing again', async () => {
    await startPlayed({ more: ['--boot-ms', '3000'] });
    const id = await begin(fresh);
    await untilWipe(id, 'starting');
    await until(() => existsSync(folder(newSave)) && textOf(newSave) !== '', 'the new save');
    const created = textOf(newSave);
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await expectWiped(id);
    expect(textOf(newSave)).toBe(created);
    expect(stage.agent.starts()).toHaveLength(2);
  });

  test('for longer than the server may take to start gives it that time again', async () => {
    await startPlayed({ wipe_start_seconds: 6 });
    const id = await begin({ ...fresh, start: true });
    await untilWipe(id, 'starting');
    await stage.agent.end('SIGKILL');
    const endedMs = Date.now();
    await until(() => Date.now() > endedMs + 6_500, 'the end of the time to start');
    await stage.startAgent();
    await expectWiped(id);
  });

  test('before it could report the end reports it', async () => {
    await startPlayed();
    stage.platform.silent.add('wipe-status');
    const id = randomUUID();
    const args = { wipe_id: id, request: requestOf(fresh) };
    await stage.platform.send(stage.platform.command('wipe', 'main', { args }));
    await until(() => existsSync(recordFile()) && record()['status'] === 'completed', 'the end of the wipe');
    await stage.agent.end('SIGKILL');
    rewrite({ isTidy: false });
    stage.platform.silent.clear();
    await stage.startAgent();
    await expectWiped(id);
  });

  test('while it puts everything back does so to the end', async () => {
    await startPlayed({ more: ['--boot-ms', '3000'] });
    const before = oldFiles();
    const id = await begin({ seed: brokenSeed });
    await until(() => record()['failure'] !== null, 'the failure');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await untilWipe(id, 'rolled_back');
    expect(oldFiles()).toEqual(before);
    expect(textOf('player.states.5.db')).toBe('played');
    expect(existsSync(asideOf(id))).toBe(false);
    await stage.platform.untilState('running');
  });
});
