// Wipes whose record cannot be written: no result is reported that the next agent would not know.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { isAlive } from './support/agent.ts';

import {
  openStageForEachTest,
  stage,
  brokenSeed,
  folder,
  filesOf,
  newMap,
  startPlayed,
  send,
  begin,
  cancel,
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
} from './support/wiped-server.ts';
import type { Status } from './support/wiped-server.ts';

openStageForEachTest();

describe('a record that cannot be written', () => {
  const fresh = { seed: 42, world_size: 4000 };
  const block = () => mkdirSync(`${recordFile()}.new`);
  const free = () => rmdirSync(`${recordFile()}.new`);
  const isOverStatus = (status: Status) =>
    ['completed', 'failed', 'rolled_back', 'cancelled'].includes(status);
  const complaint = 'the result of a wipe cannot be recorded yet';

  /** It reports no result that the next agent would not know, and the next agent does not run the wipe again. */
  async function expectEnd(id: string, status: Status): Promise<void> {
    await stage.agent.untilOutput(complaint);
    expect(statusesOf(id).filter(isOverStatus)).toEqual([]);
    free();
    await untilWipe(id, status);
    await until(() => record()['isTidy'] === true, 'its last note');
    const starts = stage.agent.starts();
    const files = filesOf();
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    expect(await stage.platform.run('start')).toMatchObject({ status: 'succeeded' });
    expect(statusesOf(id).filter(isOverStatus)).toEqual([status]);
    expect(stage.agent.starts()).toEqual(starts);
    expect(filesOf()).toEqual(files);
    expect(starts.filter(isAlive)).toHaveLength(1);
  }

  async function expectPutBack(id: string, before: string[]): Promise<void> {
    await expectEnd(id, 'rolled_back');
    expect(oldFiles()).toEqual(before);
    expect(textOf('player.states.5.db')).toBe('played');
  }

  test('as the countdown ends', async () => {
    await startPlayed();
    const before = oldFiles();
    const id = await begin({ ...fresh, countdown_seconds: 3 });
    await until(() => chat().length === 1, 'the first announcement');
    block();
    await expectPutBack(id, before);
    expect(stage.agent.starts()).toHaveLength(1);
  });

  test('as it is cancelled', async () => {
    await startPlayed();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    block();
    const cancelling = cancel(id);
    await expectEnd(id, 'cancelled');
    await cancelling;
  });

  test('while the server is stopping', async () => {
    await startPlayed({ more: ['--stop-ms', '90000'], stop_grace_seconds: 60 });
    const before = oldFiles();
    const id = await begin(fresh);
    await untilWipe(id, 'stopping');
    block();
    await endGame();
    await until(() => stage.agent.starts().filter(isAlive).length === 1, 'the server again');
    await expectPutBack(id, before);
  });

  test('while it is backed up', async () => {
    await startPlayed();
    const before = oldFiles();
    const large = folder('Log.Large.txt');
    writeFileSync(large, '');
    truncateSync(large, 4 * 1024 ** 3);
    const id = await begin({ ...fresh, backup: true });
    await untilWipe(id, 'backing_up');
    block();
    rmSync(large);
    await expectPutBack(id, before);
  });

  test('while it deletes', async () => {
    await startPlayed();
    const before = oldFiles();
    const launch = join(stage.agent.stateDirectory, 'instances', 'main', 'launch.json.new');
    mkdirSync(launch); // which ends the step
    for (const name of otherMaps) writeFileSync(folder(name), '');
    await startStoppingAgent();
    const { id } = await send(fresh);
    await untilStopped();
    block();
    process.kill(stage.agent.pid, 'SIGCONT');
    await until(
      () => stage.agent.starts().filter(isAlive).length === 1 && !existsSync(asideOf(id)),
      'all back',
    );
    for (const name of otherMaps) rmSync(folder(name));
    await expectPutBack(id, before);
  });

  test('while the server starts, after which it is complete', async () => {
    await startPlayed({ more: ['--boot-ms', '2000'] });
    const id = await begin(fresh);
    await untilWipe(id, 'starting');
    block();
    await expectEnd(id, 'completed');
    expect(existsSync(folder(newMap))).toBe(true);
  });

  test('while everything is put back', async () => {
    await startPlayed({ more: ['--boot-ms', '2000'] });
    const before = oldFiles();
    const id = await begin({ seed: brokenSeed });
    await untilWipe(id, 'starting');
    block();
    await expectPutBack(id, before);
  });

  test('and an agent that is killed meanwhile keeps files that were restored and played on since', async () => {
    await startPlayed({ more: ['--boot-ms', '2000'] });
    const id = await begin({ seed: brokenSeed });
    await untilWipe(id, 'starting');
    block();
    await stage.agent.untilOutput(complaint);
    await stage.agent.end('SIGKILL');
    free();
    writeFileSync(folder('proceduralmap.3500.1337.262.sav.2'), 'later');
    await stage.startAgent();
    await untilWipe(id, 'rolled_back');
    expect(textOf('player.states.5.db')).toBe('played');
    expect(textOf('proceduralmap.3500.1337.262.sav.2')).toBe('later');
    await stage.platform.untilState('running');
  });
});

const onSmallDisk = canMountDisk() ? test : test.skip; // only who may mount file systems can fill one

onSmallDisk('a full disk ends a wipe once there is room to note so', async () => {
  const disk = join(stage.agent.stateDirectory, 'instances', 'main');
  mkdirSync(disk, { recursive: true });
  mountSmallDisk(disk, 256 * 1024);
  try {
    await startPlayed();
    const before = oldFiles();
    const id = await begin({ seed: 42, countdown_seconds: 5 });
    await until(() => chat().length === 1, 'the first announcement');
    const filler = join(disk, 'filler');
    for (const bytes of [4096, 1])
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(bytes));
      } catch {
        continue; // it is full
      }
    await stage.agent.untilOutput('the result of a wipe cannot be recorded yet');
    expect(statusesOf(id)).toEqual(['planned', 'announcing']);
    rmSync(filler);
    expect((await untilWipe(id, 'failed')).detail).toContain('The disk is full');
    expect(oldFiles()).toEqual(before);
    expect(stage.agent.starts().filter(isAlive)).toHaveLength(1);
    await stage.agent.end('SIGKILL');
  } finally {
    unmountSmallDisk(disk);
  }
});
