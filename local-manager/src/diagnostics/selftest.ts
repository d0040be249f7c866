// Tests everything that the manager relies on, without changing anything.
import { release } from 'node:os';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import { refuseUnknown } from '../battlegroup/cluster-probe.ts';
import type { Config } from '../config.ts';
import { readGuestFile } from '../guest-shell/guest-files.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { KeyFile } from '../keys/key-file.ts';
import { runProgram } from '../processes.ts';
import { refusal } from '../refusals.ts';
import type { Preflight } from '../setup/preflight.ts';
import { addressIn } from '../visibility/settings-file.ts';
import type { VmReader } from '../vm/vm-reader.ts';

type Schemas = components['schemas'];
type Check = Schemas['SelftestCheck'];

interface Parts {
  config: Config;
  version: string;
  reader: VmReader;
  keys: KeyFile;
  guest: Guest;
  battlegroups: Battlegroups;
  preflight: Preflight;
}

const programMs = 15_000;

export class Selftest {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(): Promise<Schemas['Selftest']> {
    const { config, version, reader, keys, guest, battlegroups, preflight } = this.#parts;
    const checks: Check[] = [];
    const tried = async (name: string, work: () => Promise<string | null>) => {
      checks.push(await attempt(name, work));
      return checks.at(-1)?.state === 'passed';
    };
    const skip = (name: string, detail: string) => checks.push({ name, state: 'skipped', detail, ms: 0 });

    await tried('ssh', () => firstLineOf(config.programs.ssh, ['-V']));
    const hasHost = await tried('Windows PowerShell and Hyper-V', async () => {
      const { powerShell, windows, memoryTotalGB, memoryFreeGB } = await reader.now();
      return `PowerShell ${powerShell ?? '?'}, Windows ${windows ?? '?'}, ${memoryFreeGB ?? '?'} of ${memoryTotalGB ?? '?'} GB free`;
    });
    const { checks: found } = await preflight.get();
    for (const { name, state, detail } of found) checks.push({ name: `Host: ${name}`, state, detail, ms: 0 });
    if (hasHost)
      await tried('Virtual machine', async () => {
        const { vm } = await reader.recent();
        return vm === null
          ? 'none'
          : `${vm.state}, ${vm.startupMemoryGB ?? '?'} GB, ${vm.ip ?? 'no address'}`;
      });
    else skip('Virtual machine', 'Hyper-V cannot be asked.');
    const hasKey = await tried('SSH key', async () => {
      const { isEncrypted } = await keys.usable();
      if (isEncrypted)
        throw refusal('ssh_key_passphrase', 'It has a passphrase, which the manager cannot type.');
      return keys.path();
    });
    const isOpen =
      hasKey &&
      (await tried('SSH', async () => {
        const shell = await guest.open();
        return (await shell.read({ script: 'uname -sr; sudo -n true && echo sudo' }))
          .trim()
          .replaceAll('\n', ', ');
      }));
    if (!hasKey) skip('SSH', 'There is no key to try it with.');
    if (!isOpen) {
      for (const name of ['Cluster', 'settings.conf'])
        skip(name, 'There is no SSH access to the virtual machine.');
    } else {
      await tried('Cluster', async () => {
        const cluster = await battlegroups.probe(await guest.open());
        refuseUnknown(cluster);
        const { isUp, isInstalled, namespaces, battlegroups: worlds } = cluster;
        return `${isUp ? 'up' : 'down'}, ${isInstalled ? 'installed' : 'not installed'}, ${namespaces.length} namespaces, ${worlds.length} battlegroups`;
      });
      await tried('settings.conf', async () => {
        const { content, isThere } = await readGuestFile(await guest.open(), `${guest.folder}/settings.conf`);
        const lines = content.toString('latin1').split('\n').length - 1;
        return isThere ? `${lines} lines, line 4 is ${addressIn(content) ?? 'empty'}` : 'is not there';
      });
    }
    return {
      version,
      platform: `${process.platform} ${release()} ${process.arch}${config.isWsl ? ' (WSL)' : ''}, Node.js ${process.versions.node}`,
      checks,
    };
  }
}

async function attempt(name: string, work: () => Promise<string | null>): Promise<Check> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const detail = await work();
    return { name, state: 'passed', detail, ms: ms() };
  } catch (error) {
    return { name, state: 'failed', detail: Error.isError(error) ? error.message : String(error), ms: ms() };
  }
}

async function firstLineOf(file: string, args: string[]): Promise<string | null> {
  const { stdout, stderr } = await runProgram({ file, args, timeoutMs: programMs });
  return (stdout || stderr).split('\n')[0]?.trim() ?? null;
}
