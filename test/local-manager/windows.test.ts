// What Windows does differently: environments, names, reserved ports and closed windows.
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig } from '../../local-manager/src/config.ts';
import { aliasOf } from '../../local-manager/src/guest-shell/guest.ts';
import { composed, environmentFor } from '../../local-manager/src/powershell/host-bridge.ts';
import { listen } from '../../local-manager/src/listening.ts';
import { StandInWorld } from '../../local-manager/stand-ins/world.ts';
import { ManagerProcess } from './support/manager-process.ts';

const folder = resolve(import.meta.dirname, '../../local-manager');
const script = (name: string) => readFileSync(join(folder, `powershell/${name}.ps1`), 'utf8');

it('starts Windows PowerShell without the modules of PowerShell 7', () => {
  expect(environmentFor({ Path: 'C:\\Windows', PSModulePath: 'C:\\pwsh\\7\\Modules' })).toEqual({
    Path: 'C:\\Windows',
  });
});

it('runs nothing outside of try but the line that reports the result', () => {
  const frame = script('frame');
  const [before = '', after = ''] = [
    frame.slice(0, frame.indexOf('try {')),
    frame.slice(frame.lastIndexOf('\n}') + 2),
  ];
  expect(before.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    "$Mark = '<#mark#>'",
  ]);
  expect(after.trim()).toBe("[Console]::Out.WriteLine($Mark + ' ' + $Line)");
  expect(composed(frame, 'work', { mark: "a'b" })).toContain("$Mark = 'ab'");
});

it('depends on no drive, no translated name and no name of an account', () => {
  for (const name of ['get-preflight', 'install-key', 'read-bootstrap', 'import-vm', 'get-reset-plan'])
    expect(script(name)).not.toContain('Join-Path');
  expect(script('get-preflight')).toMatch(/foreach \(\$Library [^}]*try \{/);
  expect(script('connect-network')).toContain('c08cb7b8-9b3c-408e-8e30-5e16a3aeb444');
  expect(script('connect-network')).not.toContain("-eq 'Default Switch'");
  expect(script('install-key')).toContain('.User.Value');
  expect(script('install-key')).not.toContain('GetCurrent().Name');
});

it('takes virtual machines with spaces in their name', () => {
  const name = 'Dune – Mein Server';
  expect(readConfig({ LOCAL_MANAGER_VM_NAME: name }).vmName).toBe(name);
  expect(aliasOf(name)).toMatch(/^gantry-[A-Za-z0-9._-]+$/);
  expect(aliasOf(name)).not.toBe(aliasOf('Dune - Mein Server'));
  expect(aliasOf('dune-awakening')).toBe('gantry-dune-awakening');
  expect(() => readConfig({ LOCAL_MANAGER_VM_NAME: 'a\u0000b' })).toThrow('not a name');
});

describe('a reserved port', () => {
  /** Refuses ports as Windows does. */
  class Host extends EventEmitter {
    readonly tried: number[] = [];
    readonly #codes: Record<number, string>;

    constructor(codes: Record<number, string>) {
      super();
      this.#codes = codes;
    }

    listen(port: number): void {
      this.tried.push(port);
      const code = this.#codes[port];
      queueMicrotask(() => {
        if (code === undefined) this.emit('listening');
        else this.emit('error', Object.assign(new Error(code), { code }));
      });
    }
  }

  it('is passed over for the next free one', async () => {
    const host = new Host({ 4400: 'EACCES', 4401: 'EACCES', 4402: 'EADDRINUSE' });
    await listen(host as unknown as Server, 4400, '127.0.0.1');
    expect(host.tried).toEqual([4400, 4401, 4402, 4403]);
  });

  it('is not passed over if another manager may listen there', async () => {
    const host = new Host({ 4400: 'EADDRINUSE' });
    await expect(listen(host as unknown as Server, 4400, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
  });
});

it('ends properly when its window is closed', async () => {
  const world = await StandInWorld.start({ begins: 'empty' });
  const home = await mkdtemp(join(tmpdir(), 'gantry-closed-'));
  try {
    const manager = await ManagerProcess.start(world, home);
    expect(await manager.signal('SIGHUP')).toBe(0);
    expect(existsSync(join(home, 'session.json'))).toBe(false);
  } finally {
    await world.stop();
    await rm(home, { recursive: true, force: true });
  }
});

it('checks files out with the line ends that sh needs', () => {
  expect(readFileSync(resolve(folder, '../.gitattributes'), 'utf8')).toContain('* text=auto eol=lf');
});
