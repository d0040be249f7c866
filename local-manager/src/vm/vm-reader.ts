// Reads the state of the host and the virtual machine, with one shared query to Windows for concurrent callers.
import type { components } from '../../../generated/local-manager.d.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import { firstReachable } from '../guest-shell/knock.ts';
import { isHostSilent, isServiceStopped, vmMissing } from '../powershell/host-errors.ts';
import { fieldsOf, gigabytes, listOf, numberOf, textOf, type Fields } from '../parsing.ts';
import { isRefusal, refusal, type Refusal } from '../refusals.ts';
import { Shared } from '../shared-result.ts';

export type VmState = components['schemas']['VmStatus']['state'];
export type HostState = components['schemas']['HostStatus']['state'];

export interface VmView {
  /** Hyper-V's id, independent of its name. */
  id: string | null;
  state: VmState;
  ip: string | null;
  memoryGB: number | null;
  startupMemoryGB: number | null;
  /** Exact bytes, for restoring the value. */
  startupMemoryBytes: number | null;
  uptimeSeconds: number | null;
}

export interface HostView {
  powerShell: string | null;
  windows: string | null;
  memoryTotalGB: number | null;
  memoryFreeGB: number | null;
  /** When Windows was asked. */
  observedAt: string;
  /** Null if there is no virtual machine. */
  vm: VmView | null;
}

/** A query takes Windows several seconds, so results are shared for this long. */
const freshMs = 2_000;
/** Work within the virtual machine does not wait longer for Windows if its address is known. */
const addressMs = 5_000;

export class VmReader {
  readonly #bridge: HostBridge;
  readonly #vmName: string;
  readonly #sshPort: number;
  readonly #shared: Shared<HostView>;
  #lastAddress: string | undefined;

  constructor(bridge: HostBridge, vmName: string, sshPort: number) {
    this.#bridge = bridge;
    this.#sshPort = sshPort;
    this.#vmName = vmName;
    this.#shared = new Shared(freshMs, () => this.#ask());
  }

  /** The cached state, at most `freshMs` old. */
  recent(): Promise<HostView> {
    return this.#shared.recent();
  }

  /** As `recent`; undefined if Windows does not respond within that time. */
  recentWithin(ms: number): Promise<HostView | undefined> {
    return this.#shared.recentWithin(ms);
  }

  /** As `recentWithin`, also if a query of Windows has timed out before. */
  async recentIfResponding(ms: number): Promise<HostView | undefined> {
    try {
      return await this.recentWithin(ms);
    } catch (error) {
      if (isRefusal(error) && isHostSilent(error)) return undefined;
      throw error;
    }
  }

  /** The current state, for use after a change. */
  now(): Promise<HostView> {
    this.#shared.forget();
    return this.#shared.recent();
  }

  /** Discards the cached state. */
  forget(): void {
    this.#shared.forget();
  }

  async existing(): Promise<VmView> {
    const { vm } = await this.now();
    if (vm === null) throw vmMissing();
    return vm;
  }

  /** The last known address if Windows does not respond: SSH does not need it, and checks the machine's own key. */
  async runningAddress(): Promise<string> {
    const view = await this.recentIfResponding(addressMs);
    if (view === undefined && this.#lastAddress !== undefined) return this.#lastAddress;
    const { vm } = view ?? (await this.recent());
    if (vm === null) throw vmMissing();
    if (vm.state !== 'running')
      throw refusal('vm_off', `The virtual machine is not running but ${vm.state}: start it.`);
    if (vm.ip === null) throw refusal('guest_unreachable', 'The virtual machine has no address yet.');
    return vm.ip;
  }

  async #ask(): Promise<HostView> {
    const state = await this.#bridge.run('get-state', { vmName: this.#vmName });
    const observedAt = new Date().toISOString();
    const vm = await this.#viewVm(state['vm']);
    this.#lastAddress = vm?.state === 'running' ? (vm.ip ?? undefined) : undefined;
    return viewHost(state, observedAt, vm);
  }

  async #viewVm(found: unknown): Promise<VmView | null> {
    if (found === null || found === undefined) return null;
    const fields = fieldsOf(found);
    const addresses = listOf(fields['addresses']).map(textOf).filter(isUsable);
    return viewVm(fields, await firstReachable([...new Set(addresses)], this.#sshPort));
  }
}

const states: Readonly<Record<string, VmState>> = {
  Off: 'off',
  OffCritical: 'off',
  Running: 'running',
  Starting: 'starting',
  Stopping: 'stopping',
  Saved: 'saved',
  Saving: 'stopping',
  Paused: 'paused',
};

function viewHost(state: Fields, observedAt: string, vm: VmView | null): HostView {
  return {
    powerShell: textOf(state['powerShell']),
    windows: textOf(state['windows']),
    memoryTotalGB: gigabytes(numberOf(state['memoryTotalBytes'])),
    memoryFreeGB: gigabytes(numberOf(state['memoryFreeBytes'])),
    observedAt,
    vm,
  };
}

function viewVm(vm: Fields, ip: string | null): VmView {
  const state = states[textOf(vm['state']) ?? ''] ?? 'other';
  const isOff = state === 'off';
  return {
    id: textOf(vm['id']),
    state,
    ip: isOff ? null : ip,
    memoryGB: isOff ? null : gigabytes(numberOf(vm['memoryAssignedBytes'])),
    startupMemoryGB: gigabytes(numberOf(vm['memoryStartupBytes'])),
    startupMemoryBytes: numberOf(vm['memoryStartupBytes']),
    uptimeSeconds: isOff ? null : numberOf(vm['uptimeSeconds']),
  };
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** 169.254/16 addresses are link-local: the machine has received no address from a DHCP server. */
const isUsable = (address: string | null): address is string =>
  address !== null && ipv4.test(address) && !address.startsWith('169.254.');

/** The host state that a refusal of Windows indicates. */
export function hostStateOf(error: Refusal): HostState {
  if (isHostSilent(error)) return 'noResponse';
  if (error.code === 'host_permission') return 'noPermission';
  if (error.code !== 'hyperv_unavailable') return 'failed';
  if (isServiceStopped(error)) return 'serviceStopped';
  return error.message.startsWith('Windows PowerShell') ? 'noPowerShell' : 'noHyperV';
}
