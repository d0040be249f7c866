// Tests everything that the manager relies on, without changing anything.
import { release } from 'node:os';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import { refuseUnknown } from '../battlegroup/cluster-probe.ts';
import type { Config } from '../config.ts';
import { readGuestFile } from '../guest-shell/guest-files.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import { isHostSilent } from '../powershell/host-errors.ts';
import type { KeyFile } from '../keys/key-file.ts';
import { runProgram } from '../processes.ts';
import { flagOf, listOf, textOf } from '../parsing.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { Preflight } from '../setup/preflight.ts';
import { addressIn } from '../visibility/settings-file.ts';
import type { VmReader } from '../vm/vm-reader.ts';

type Schemas = components['schemas'];
type Check = Schemas['SelftestCheck'];

interface Parts {
  bridge: HostBridge;
  config: Config;
  version: string;
  reader: VmReader;
  keys: KeyFile;
  guest: Guest;
  battlegroups: Battlegroups;
  preflight: Preflight;
}

const programMs = 15_000;
const planMs = 120_000;

type Try = (name: string, work: () => Promise<string | null>) => Promise<boolean>;
type Skip = (name: string, detail: string) => void;

export class Selftest {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(): Promise<Schemas['Selftest']> {
    const { config, version, reader, keys, guest, battlegroups, preflight } = this.#parts;
    const checks: Check[] = [];
    const tried: Try = async (name, work) => {
      checks.push(await attempt(name, work));
      return checks.at(-1)?.state === 'passed';
    };
    const skip: Skip = (name, detail) => void checks.push({ name, state: 'skipped', detail, ms: 0 });

    await tried('ssh', () => firstLineOf(config.programs.ssh, ['-V']));
    let isSilent = false;
    const hasHost = await tried('Windows PowerShell and Hyper-V', async () => {
      const { powerShell, windows, memoryTotalGB, memoryFreeGB } = await reader.now().catch((error) => {
        isSilent = isRefusal(error) && isHostSilent(error);
        throw error;
      });
      return `PowerShell ${powerShell ?? '?'}, Windows ${windows ?? '?'}, ${memoryFreeGB ?? '?'} of ${memoryTotalGB ?? '?'} GB free`;
    });
    // A Windows that does not respond takes a minute for each question.
    if (isSilent) skip('Host', 'Windows does not respond.');
    else
      for (const { name, state, detail } of (await preflight.get()).checks)
        checks.push({ name: `Host: ${name}`, state, detail, ms: 0 });
    if (hasHost)
      await tried('Virtual machine', async () => {
        const { vm } = await reader.recent();
        return vm === null
          ? 'none'
          : `${vm.state}, ${vm.startupMemoryGB ?? '?'} GB, ${vm.ip ?? 'no address'}`;
      });
    else skip('Virtual machine', 'Hyper-V cannot be queried.');
    await this.#readScripts(tried, skip, hasHost);
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

  /** Runs every script that only reads, and looks whether the others find what they use. */
  async #readScripts(tried: Try, skip: Skip, hasHost: boolean): Promise<void> {
    const { bridge, config } = this.#parts;
    const { vmName } = config;
    const names = [
      'get-local-folder',
      'get-reset-plan',
      'read-bootstrap',
      'read-bundled-key',
      'check-commands',
    ];
    if (!hasHost) {
      for (const name of names) skip(`Script ${name}`, 'Hyper-V cannot be queried.');
      return;
    }
    await tried('Script get-local-folder', async () => {
      const { path } = await bridge.run('get-local-folder', {});
      if (textOf(path) === null) throw refusal('host_failed', 'Windows returns no folder.');
      return 'a folder is named';
    });
    await tried('Script get-reset-plan', async () => {
      const plan = await bridge.run('get-reset-plan', { vmName }, { timeoutMs: planMs });
      return `${listOf(plan['folders']).length} folders, ${listOf(plan['keys']).length} keys`;
    });
    const vmcxPath = await bridge.run('get-preflight', {}).then(
      (found) => textOf(found['vmcxPath']),
      () => null,
    );
    for (const name of ['read-bootstrap', 'read-bundled-key'] as const)
      if (vmcxPath === null) skip(`Script ${name}`, 'The vendor’s package is not there.');
      else
        await tried(`Script ${name}`, async () => sizeOf((await bridge.run(name, { vmcxPath }))['content']));
    await tried('Script check-commands', async () => {
      const found = await bridge.run('check-commands', {});
      const missing = [...listOf(found['missing']), ...listOf(found['absent'])].map(String);
      if (missing.length > 0) throw refusal('host_failed', `Windows has no ${missing.join(', ')}.`);
      return `display language ${textOf(found['culture']) ?? '?'}, default switch “${textOf(found['defaultSwitch']) ?? 'none'}”, ${textOf(found['languageMode']) ?? '?'}, ${flagOf(found['sid']) ? 'SID found' : 'no SID'}`;
    });
  }
}

/** The size of a result, for scripts whose content does not belong in a report. */
const sizeOf = (content: unknown) => {
  const text = textOf(content);
  return text === null ? 'none' : `${Buffer.byteLength(text, 'base64')} bytes`;
};

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
