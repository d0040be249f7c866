// A disk of the agent that is full: a server is not stopped for nothing, and what was reported as failed stays undone.
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectionToStart } from '../../agent/src/supervisor/start-check.ts';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';
import { Stage } from './support/agent.ts';

const whereMountable = canMountDisk() ? describe : describe.skip;

whereMountable('the agent on a full disk (left out where no disk can be mounted)', () => {
  let stage: Stage;
  const filling = () => join(stage.agent.stateDirectory, 'filling');

  beforeAll(async () => {
    stage = await Stage.open();
    mkdirSync(stage.agent.stateDirectory);
    mountSmallDisk(stage.agent.stateDirectory, 4 * 1024 * 1024);
    stage.agent.configure([{}]);
    await stage.startAgent();
    await stage.platform.run('start');
    const { bavail, bsize } = statfsSync(stage.agent.stateDirectory);
    try {
      writeFileSync(filling(), Buffer.alloc(bavail * bsize));
    } catch (error) {
      // The agent writes meanwhile: the disk is full all the same.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  });
  afterAll(async () => {
    await stage.agent.end();
    unmountSmallDisk(stage.agent.stateDirectory);
    await stage.close();
  });

  it('restarts nothing, neither now nor after the agent was killed, until there is room', async () => {
    const { agent, platform } = stage;
    for (let count = 0; count < 4; count += 1)
      expect(await platform.run('restart')).toMatchObject({ status: 'failed', error_code: 'disk_full' });
    expect(agent.starts()).toHaveLength(1);
    await agent.end('SIGKILL');
    await stage.startAgent();
    expect(await platform.run('restart')).toMatchObject({ status: 'failed', error_code: 'disk_full' });
    expect(agent.starts()).toHaveLength(1);
    rmSync(filling());
    expect(await platform.run('restart')).toMatchObject({ status: 'succeeded' });
    expect(agent.starts()).toHaveLength(2);
    expect(platform.violations).toEqual([]);
  });
});

whereMountable('the room for a start', () => {
  it.each([
    [32 * 1024, { isSuccess: false, errorCode: 'disk_full' }],
    [1024 * 1024, null],
  ])('on a disk of %i bytes', async (bytes, objection) => {
    const directory = mkdtempSync(join(tmpdir(), 'gantry-start-room-'));
    mountSmallDisk(directory, bytes);
    try {
      const found = await objectionToStart({ config: {}, file: (name) => join(directory, name) });
      if (objection === null) expect(found).toBeNull();
      else expect(found).toMatchObject(objection);
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      unmountSmallDisk(directory);
      rmdirSync(directory);
    }
  });
});

it('finds out that a server could not be started again for other reasons too', async () => {
  const file = (name: string) => join(import.meta.dirname, 'no such directory', name);
  expect(await objectionToStart({ config: {}, file })).toMatchObject({
    isSuccess: false,
    errorCode: 'start_failed',
  });
});
