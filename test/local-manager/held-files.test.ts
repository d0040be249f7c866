// Files that another program holds, and a drive without free space.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostRefusal } from '../../local-manager/src/powershell/host-errors.ts';
import { replaceFile, writeWhole } from '../../local-manager/src/whole-files.ts';
import { ManagerWorld } from './support/manager.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('a file that a scanner holds', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-held-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(['EPERM', 'EACCES', 'EBUSY'])('is replaced once it is free (%s)', async (code) => {
    const target = join(folder, 'a.json');
    await writeFile(target, 'old');
    let refusals = 3;
    const renameFile = async (from: string, to: string) => {
      refusals -= 1;
      if (refusals >= 0) throw failure(code);
      await rename(from, to);
    };
    await writeWhole(target, 'new', { platform: 'win32', renameFile });
    expect(readFileSync(target, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('leaves its old content and no other file when it can never be replaced', async () => {
    const target = join(folder, 'a.json');
    await writeFile(target, 'old');
    const fresh = `${target}.fresh`;
    await writeFile(fresh, 'new');
    const renameFile = () => Promise.reject(failure('EXDEV'));
    await expect(replaceFile(fresh, target, { platform: 'win32', renameFile })).rejects.toThrow('EXDEV');
    expect(readdirSync(folder)).toEqual(['a.json']);
    expect(readFileSync(target, 'utf8')).toBe('old');
  });
});

it.each([
  ['There is not enough space on the disk. (0x80070070)', 0],
  ['Auf dem Datenträger ist nicht genügend Speicherplatz vorhanden.', -2147024784],
])('a full drive is recognised by its code, in any language: %s', (message, hresult) => {
  const refused = hostRefusal('start-vm', { message, fqid: 'Unspecified', hresult, category: '' });
  expect(refused.code).toBe('disk_full');
});

describe('a home on a full drive', () => {
  let at: ManagerWorld;

  beforeEach(async () => {
    at = await ManagerWorld.start();
    // A drive of its own, full to the last byte.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at.home]);
    await at.status();
    execFileSync('sh', ['-c', 'cat /dev/zero > "$0/filler" 2> /dev/null || true', at.home]);
  });

  afterEach(async () => {
    await at.manager.stop();
    execFileSync('umount', [at.home]);
    await at.world.stop();
    rmSync(at.home, { recursive: true, force: true });
  });

  const refused = { status: 507, code: 'disk_full' };

  it('refuses a start, a change of settings and a change of the memory in words', async () => {
    const { headers } = await at.get('/api/game-config');
    const changes = [
      { file: 'UserEngine.ini', section: 'ConsoleVariables', key: 'Sandstorm.Enabled', value: 'false' },
    ];
    const saved = await at.call(
      'PATCH',
      '/api/game-config',
      { changes },
      { 'If-Match': headers.get('etag') ?? '' },
    );
    expect({ status: saved.status, code: saved.body.code }).toEqual(refused);
    await at.world.powerOff();
    at.manager.services.status.forget();
    const started = await at.post('/api/vm/start');
    expect({ status: started.status, code: started.body.code }).toEqual(refused);
    expect(started.body.detail).toContain(at.home);
    expect(at.world.host.vm?.state).toBe('Off');
    expect(readdirSync(at.home).filter((name) => /[0-9a-f]{8}-/.test(name))).toEqual([]);
  });
});
