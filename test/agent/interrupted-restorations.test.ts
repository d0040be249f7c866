// Restorations whose agent is killed before any of its changes of the file system.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  backUpModes,
  backups,
  contents,
  directory,
  id,
  modes,
  openInstanceForEachTest,
  root,
} from './support/backed-up-instance.ts';
import { openBackups } from './support/backups.ts';

const restoring = fileURLToPath(new URL('support/killed-restoration.ts', import.meta.url));

openInstanceForEachTest();

describe('the modes of directories', () => {
  /** As the agent usually runs: root may write wherever it likes. */
  const otherUser = 65534;

  /** Run as a user other than root, killed before its nth change of the file system if there is one. */
  function restoreAsStranger(killedAt = 0): { signal: string | null; stderr: string } {
    execFileSync('chown', ['-R', `${otherUser}:${otherUser}`, directory]);
    const args = [restoring, directory, id(1), String(killedAt), String(otherUser)];
    const { signal, stderr } = spawnSync(process.execPath, args);
    return { signal, stderr: stderr.toString() };
  }

  /** Other modes, also of what stands in the way; of some directories nothing is left. */
  function change(): void {
    rmSync(join(root, 'server/main/inner'), { recursive: true });
    mkdirSync(join(root, 'run'));
    writeFileSync(join(root, 'run/file'), 'later');
    chmodSync(join(root, 'run'), 0o555);
    chmodSync(join(root, 'server'), 0o555);
    chmodSync(join(root, 'server/main'), 0o500);
    chmodSync(join(root, 'empty'), 0o755);
    writeFileSync(join(root, 'server/main/player.db'), 'other');
  }

  const whereRoot = process.getuid?.() === 0 ? it : it.skip;

  whereRoot(
    'prevent neither a restoration nor its undo',
    async () => {
      const wanted = await backUpModes();
      const server = statSync(join(root, 'server')).mode & 0o777;
      change();
      const before = `${modes()}\n${contents()}`;
      for (let killedAt = 4; ; killedAt += 3) {
        const { signal, stderr } = restoreAsStranger(killedAt);
        if (signal === null) {
          expect(stderr).toBe('');
          break;
        }
        await openBackups(directory).recover();
        const isRestored = `${modes()}\n${contents()}` === wanted;
        expect([killedAt, `${modes()}\n${contents()}`]).toEqual([killedAt, isRestored ? wanted : before]);
        if (isRestored) change();
      }
      expect(server).toBe(0o755);
      expect(`${modes()}\n${contents()}`).toBe(wanted);
    },
    120_000,
  );
});

describe('a restoration whose agent is killed', () => {
  it('is finished or undone by the next one, at every step', async () => {
    const wanted = contents();
    await backups.create({ id: id(1), kind: 'manual' });
    const present = () => {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(join(root, 'server/later'), { recursive: true });
      writeFileSync(join(root, 'server/later/file'), 'later');
      writeFileSync(join(root, 'server/main'), 'a file in its place');
      writeFileSync(join(root, 'run.sh'), 'other');
      return contents();
    };
    const before = present();
    const outcomes: string[] = [];
    for (let step = 1; ; step += 1) {
      present();
      const { status, signal, stderr } = spawnSync(process.execPath, [
        restoring,
        directory,
        id(1),
        String(step),
      ]);
      if (signal === null) {
        expect([status, stderr.toString()]).toEqual([0, expect.not.stringContaining('Error')]);
        break;
      }
      const next = openBackups(directory);
      await next.recover();
      const isRestored = contents() === wanted;
      outcomes.push(isRestored ? 'restored' : 'as before');
      expect([step, contents()]).toEqual([step, isRestored ? wanted : before]);
      const end = await next.endOf('the restoration');
      expect([step, end?.isRestored ?? false]).toEqual([step, isRestored]);
    }
    expect(contents()).toBe(wanted);
    const turn = outcomes.indexOf('restored');
    expect(outcomes).toEqual(outcomes.map((_, index) => (index < turn ? 'as before' : 'restored')));
    expect(turn).toBeGreaterThan(5);
    expect(outcomes.length - turn).toBeGreaterThan(5);
  }, 240_000);
});
