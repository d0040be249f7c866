// A stand-in for Hyper-V on a host with limited memory: the results and errors of the scripts.
import { setTimeout as pause } from 'node:timers/promises';
import { asError, memoryTexts, shutDownFailed, type HostError } from './windows-texts.ts';

const GB = 1024 ** 3;
/** Drives of the host, with their free space in gigabytes. */
const drives = new Map([
  ['C', 80],
  ['D', 512],
]);
const adapter = 'Ethernet';

export interface HostOptions {
  vmName: string;
  memoryTotalGB: number;
  /** Memory used by the rest of the host. */
  memoryUsedGB: number;
  startMs: number;
  /** How long a copy of the virtual machine takes. */
  copyMs: number;
  /** How long a started virtual machine has no address. */
  addressMs: number;
}

export interface StandInVm {
  state: 'Off' | 'Running' | 'Saved';
  startupGB: number;
  startedAt: number;
}

/** The host's actions on the guest. */
export interface GuestPower {
  on(): Promise<void>;
  off(): Promise<void>;
  /** Resets it to the content of the package. */
  renew(): void;
  /** Its address for the host. */
  addresses(): string[];
}

/** The files of the host that the scripts use. */
export interface HostKeys {
  folder: string;
  list(): string[];
  remove(): void;
  install(): boolean;
  /** The key that the package brings along; undefined for a package without one. */
  bundled(): Buffer | undefined;
  setup(): string;
}

type Values = Record<string, unknown>;

class HostRefusal extends Error {
  readonly error: HostError;
  constructor(error: HostError) {
    super(error.message);
    this.error = error;
  }
}

export class HyperV {
  readonly options: HostOptions;
  vm: StandInVm | undefined;
  /** Addresses that Windows has seen the virtual machine use, including those of other machines by now. */
  addresses: string[] | undefined;
  memoryText: keyof typeof memoryTexts = 'english';
  /** The error for every Hyper-V call. */
  refuses: HostError | undefined;
  /** The error for starts with any memory. */
  refusesStart: HostError | undefined;
  /** The error for changes of the memory alone. */
  refusesMemory: HostError | undefined;
  /** Scripts that wait for these promises. */
  readonly held = new Map<string, Promise<void>>();
  /** The error for the next call of the script of that name, after its side effects. */
  readonly failsOnce = new Map<string, HostError>();
  /** Install folders of an interrupted copy. */
  readonly leftFolders = new Set<string>();
  /** Install folders by drive, with their size in gigabytes. */
  folders = new Map<string, number>();
  /** Folders that cannot be removed, as if a file in them were open. */
  lockedFolders = new Set<string>();
  hasPackage = true;
  /** What this Windows does not have of the commands that the scripts use. */
  missingCommands: string[] = [];
  /** Whether the guest ignores a shutdown request. */
  isHung = false;
  /** Whether Hyper-V keeps the machine despite a removal request. */
  isHeld = false;
  readonly calls: string[] = [];
  #imports = 0;
  #isCopyCancelled = false;
  readonly #power: GuestPower;
  readonly #keys: HostKeys;

  constructor(options: HostOptions, power: GuestPower, keys: HostKeys) {
    this.options = options;
    this.#power = power;
    this.#keys = keys;
  }

  async execute(script: string, values: Values, progress: (percent: number) => void): Promise<unknown> {
    this.calls.push(script);
    try {
      return { ok: true, data: await this.#run(script, values, progress) };
    } catch (error) {
      if (error instanceof HostRefusal) return { ok: false, error: error.error };
      throw error;
    }
  }

  /** Each machine has its own. */
  get #vmId(): string {
    return `a${this.#imports}`;
  }

  get freeGB(): number {
    const { memoryTotalGB, memoryUsedGB } = this.options;
    return Math.max(0, memoryTotalGB - memoryUsedGB - (this.vm?.state === 'Running' ? this.vm.startupGB : 0));
  }

  async #run(script: string, values: Values, progress: (percent: number) => void): Promise<unknown> {
    await this.held.get(script);
    const failure = this.failsOnce.get(script);
    if (failure !== undefined) {
      this.failsOnce.delete(script);
      if (script === 'import-vm') {
        this.folders.set(String(values['destination']), 12);
        this.leftFolders.add(String(values['destination']));
      }
      throw new HostRefusal(failure);
    }
    if (script === 'get-local-folder') return { path: 'C:\\Users\\admin\\AppData\\Local' };
    if (script === 'get-preflight') return this.#preflight();
    if (script === 'read-bootstrap') return { content: Buffer.from(this.#keys.setup()).toString('base64') };
    if (script === 'check-commands')
      return {
        ...{ missing: this.missingCommands, absent: null, defaultSwitch: 'Standardswitch' },
        ...{ culture: 'de-DE', languageMode: 'FullLanguage', sid: true },
      };
    if (script === 'cancel-import') {
      this.#isCopyCancelled = true;
      return { cancelled: true };
    }
    if (script === 'read-bundled-key') return { content: this.#keys.bundled()?.toString('base64') ?? null };
    if (script === 'install-key') return this.#installKey();
    if (script === 'remove-keys') {
      const removed = this.#keys.list();
      this.#keys.remove();
      return { removed };
    }
    if (script === 'remove-folder')
      return this.#removeFolder(String(values['path']), values['onlyLeft'] === true);
    if (this.refuses !== undefined) throw new HostRefusal(this.refuses);
    switch (script) {
      case 'get-state':
        return this.#state();
      case 'start-vm':
        return this.#start(values['memoryBytes'] as number | null);
      case 'set-memory':
        if (this.refusesMemory !== undefined) throw new HostRefusal(this.refusesMemory);
        this.#configure(Number(values['memoryBytes']));
        return {};
      case 'stop-vm':
        if (this.isHung && values['turnOff'] !== true)
          throw new HostRefusal(shutDownFailed(this.options.vmName));
        await this.#off();
        return { state: 'Off' };
      case 'import-vm':
        return this.#import(String(values['destination']), progress);
      case 'connect-network':
        return this.#connect(values['mode'] === 'external' ? String(values['nicName']) : undefined);
      case 'prepare-vm':
        this.#existing();
        return {};
      case 'get-reset-plan':
        return {
          vmState: this.vm?.state ?? null,
          folders: [...this.folders].map(([path, gb]) => ({ path, bytes: gb * GB })),
          keys: this.#keys.list(),
        };
      case 'remove-vm': {
        const removed = this.vm !== undefined;
        if (!this.isHeld) {
          await this.#off();
          this.vm = undefined;
        }
        return { removed, exists: this.isHeld };
      }
      default:
        throw new Error(`the host has no script ${script}`);
    }
  }

  /** Windows PowerShell 5.1 writes a list of one as its element; the manager must handle that. */
  #state(): unknown {
    const { memoryTotalGB, addressMs } = this.options;
    const vm = this.vm;
    const isUp = vm?.state === 'Running';
    const hasAddress = isUp && Date.now() - vm.startedAt >= addressMs;
    return {
      powerShell: '5.1.22621.4391',
      windows: '10.0.22631',
      memoryTotalBytes: memoryTotalGB * GB,
      memoryFreeBytes: this.freeGB * GB,
      vm:
        vm === undefined
          ? null
          : {
              id: this.#vmId,
              state: vm.state,
              memoryAssignedBytes: isUp ? vm.startupGB * GB : 0,
              memoryStartupBytes: vm.startupGB * GB,
              uptimeSeconds: isUp ? Math.floor((Date.now() - vm.startedAt) / 1000) : 0,
              addresses: hasAddress ? asOne(this.addresses ?? this.#power.addresses()) : [],
            },
    };
  }

  #preflight(): unknown {
    return {
      elevated: true,
      hasSsh: true,
      drives: [...drives].map(([name, freeGB]) => ({ name, freeBytes: freeGB * GB })),
      nics: { name: adapter, description: 'Intel I219-V' },
      vmcxPath: this.hasPackage
        ? 'D:\\SteamLibrary\\steamapps\\common\\Dune Awakening Self-Hosted Server\\Virtual Machines\\1.vmcx'
        : null,
    };
  }

  async #start(memoryBytes: number | null): Promise<unknown> {
    const vm = this.#existing();
    await pause(this.options.startMs);
    if (memoryBytes !== null) this.#configure(memoryBytes);
    if (this.refusesStart !== undefined) throw new HostRefusal(this.refusesStart);
    if (vm.startupGB > this.freeGB)
      throw new HostRefusal(memoryTexts[this.memoryText](this.options.vmName, vm.startupGB));
    vm.state = 'Running';
    vm.startedAt = Date.now();
    await this.#power.on();
    return { state: 'Running' };
  }

  /** Hyper-V accepts multiples of two megabytes, and only while the machine is off. */
  #configure(bytes: number): void {
    const vm = this.#existing();
    if (bytes % (2 * 1024 ** 2) !== 0 || vm.state !== 'Off')
      throw new HostRefusal(
        asError(
          `'${this.options.vmName}' failed to modify device 'Memory'. (0x80070057)`,
          'InvalidParameter,Microsoft.HyperV.PowerShell.Commands.SetVMMemory',
          'InvalidArgument',
        ),
      );
    vm.startupGB = bytes / GB;
  }

  async #off(): Promise<void> {
    if (this.vm?.state === 'Running') await this.#power.off();
    if (this.vm !== undefined) this.vm.state = 'Off';
  }

  #connect(nicName: string | undefined): unknown {
    this.#existing();
    if (nicName !== undefined && nicName !== adapter)
      throw new HostRefusal(thrown(`there is no network adapter ${nicName}`));
    return { switch: nicName === undefined ? 'Default Switch' : 'DuneAwakeningServerSwitch' };
  }

  async #import(destination: string, progress: (percent: number) => void): Promise<unknown> {
    if (this.vm !== undefined) throw new HostRefusal(thrown('there is one already'));
    if (!drives.has(destination.charAt(0)))
      throw new HostRefusal(
        thrown(`Cannot find drive. A drive with the name '${destination.charAt(0)}' does not exist.`),
      );
    this.folders.set(destination, 58);
    this.leftFolders.add(destination);
    this.#isCopyCancelled = false;
    for (let percent = 0; percent < 100; percent += 10) {
      progress(percent);
      await pause(this.options.copyMs / 10);
      if (this.#isCopyCancelled)
        throw new HostRefusal(asError('the copy was cancelled', 'GantryCancelled', 'NotSpecified'));
    }
    this.leftFolders.delete(destination);
    this.#power.renew();
    this.#imports += 1;
    this.vm = { state: 'Off', startupGB: 20, startedAt: 0 };
    return { id: this.#vmId, memoryStartupBytes: 20 * GB };
  }

  #installKey(): unknown {
    return { path: `${this.#keys.folder}\\sshKey`, installed: this.#keys.install(), found: true };
  }

  #removeFolder(path: string, onlyLeft: boolean): unknown {
    if (onlyLeft && !this.leftFolders.delete(path)) return { exists: this.folders.has(path) };
    if (this.lockedFolders.has(path))
      throw new HostRefusal(
        asError(
          `The process cannot access the file '${path}\\dune-server.vhdx' because it is being used by another process.`,
          'RemoveFileSystemItemIOError,Microsoft.PowerShell.Commands.RemoveItemCommand',
          'WriteError',
        ),
      );
    this.folders.delete(path);
    return { exists: false };
  }

  #existing(): StandInVm {
    if (this.vm === undefined)
      throw new HostRefusal(asError('no such virtual machine', 'GantryVmMissing', 'NotSpecified'));
    return this.vm;
  }
}

const thrown = (message: string): HostError => asError(message, 'RuntimeException', 'OperationStopped');

/** A list of one is written as its element. */
const asOne = (list: string[]): string[] | string => (list.length === 1 ? (list[0] ?? '') : list);
