// Collects the manager's status: host, virtual machine, access to it, and battlegroup. It never fails.
import type { components } from '../../../generated/local-manager.d.ts';
import { viewBattlegroup } from '../battlegroup/battlegroup-view.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { ClusterView } from '../battlegroup/cluster-probe.ts';
import type { HostKeys } from '../guest-shell/host-keys.ts';
import type { Guest } from '../guest-shell/guest.ts';
import { refusedFingerprint, sshStateOf, type SshState } from '../guest-shell/ssh-errors.ts';
import type { KeyFile } from '../keys/key-file.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal } from '../refusals.ts';
import { Shared } from '../shared-result.ts';
import { hostStateOf, type HostView, type VmReader } from '../vm/vm-reader.ts';
import type { VmStarter } from '../vm/vm-starter.ts';

type Status = components['schemas']['Status'];

/** How long one result serves all callers. */
const freshMs = 2_000;
/** When a status is due: parts that have not responded by then have their last known values. */
const dueMs = 9_000;
const hostMs = 5_000;
const fileBrowserPort = 18888;

interface Parts {
  reader: VmReader;
  starter: VmStarter;
  keys: KeyFile;
  hostKeys: HostKeys;
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  vmName: string;
  version: string;
  startedAt: Date;
}

type Observed = Omit<Status, 'operation' | 'version' | 'startedAt'>;
type KeyLook = Pick<Status['ssh'], 'keyPresent' | 'keyPath'> & { trouble: string | null };

interface HostLook {
  host: Status['host'];
  /** The last known view; undefined if there never was one. */
  view: HostView | undefined;
}

interface GuestLook {
  /** Where it looked; another address or key makes it worthless. */
  subject: string;
  ssh: Pick<Status['ssh'], 'state' | 'detail' | 'hostKeys' | 'observedAt'>;
  cluster: ClusterView | undefined;
}

const unknownMemory = { memoryTotalGB: null, memoryFreeGB: null, observedAt: null };

export class StatusObserver {
  readonly #parts: Parts;
  readonly #shared: Shared<Observed>;
  readonly #key: Shared<KeyLook>;
  readonly #guest: Shared<GuestLook>;
  #target: { ip: string; subject: string } | undefined;
  #lastHost: HostView | undefined;
  #lastKey: KeyLook = { keyPresent: false, keyPath: null, trouble: null };
  #lastGuest: GuestLook | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#shared = new Shared(freshMs, () => this.#observe());
    this.#key = new Shared(freshMs, () => this.#lookForKey());
    this.#guest = new Shared(freshMs, () => this.#lookInside());
  }

  async get(): Promise<Status> {
    const { operations, version, startedAt } = this.#parts;
    const status = await this.#shared.recent();
    const { running } = operations;
    return {
      version,
      startedAt: startedAt.toISOString(),
      ...status,
      operation: running === undefined ? null : { id: running.id, kind: running.kind },
    };
  }

  /** Discards the cached result. */
  forget(): void {
    this.#shared.forget();
    this.#key.forget();
    this.#guest.forget();
  }

  async #observe(): Promise<Observed> {
    const dueAt = Date.now() + dueMs;
    const [{ host, view }, { trouble, ...key }] = await Promise.all([this.#lookAtHost(), this.#lookAtKey()]);
    const vm = view?.vm ?? null;
    const { ssh, cluster } = await this.#lookIn(
      vm?.state === 'running' ? vm.ip : undefined,
      `${vm?.id ?? ''} ${vm?.ip ?? ''} ${key.keyPath ?? ''}`,
      trouble,
      dueAt,
    );
    const [resource, ...others] = cluster?.battlegroups ?? [];
    const battlegroup =
      cluster === undefined || resource === undefined || others.length > 0
        ? null
        : viewBattlegroup(resource, cluster);
    const ip = vm?.ip ?? null;
    const status = {
      observedAt: new Date().toISOString(),
      needsBootstrap: cluster !== undefined && needsBootstrap(cluster),
      host,
      vm: await this.#viewVm(host, view),
      ssh: { ...ssh, ...key, wsl: this.#parts.keys.isWsl },
      cluster: { ...viewCluster(cluster), observedAt: cluster === undefined ? null : ssh.observedAt },
      battlegroup,
      links: {
        fileBrowser: ip === null ? null : `http://${ip}:${fileBrowserPort}/`,
        director:
          ip === null || battlegroup === null || battlegroup.directorPort === null
            ? null
            : `http://${ip}:${battlegroup.directorPort}/`,
      },
    };
    return status;
  }

  async #lookAtHost(): Promise<HostLook> {
    try {
      const view = await this.#parts.reader.recentWithin(hostMs);
      if (view === undefined) return this.#silentHost();
      this.#lastHost = view;
      const { memoryTotalGB, memoryFreeGB, observedAt } = view;
      return { host: { state: 'ready', detail: null, memoryTotalGB, memoryFreeGB, observedAt }, view };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const state = hostStateOf(error);
      if (state === 'noResponse') return this.#silentHost();
      return { host: { state, detail: error.message, ...unknownMemory }, view: undefined };
    }
  }

  #silentHost(): HostLook {
    const view = this.#lastHost;
    const { memoryTotalGB, memoryFreeGB, observedAt } = view ?? unknownMemory;
    const detail = 'Windows PowerShell does not respond. The virtual machine’s last known state is shown.';
    return { host: { state: 'noResponse', detail, memoryTotalGB, memoryFreeGB, observedAt }, view };
  }

  async #lookAtKey(): Promise<KeyLook> {
    return (await this.#key.recentWithin(hostMs)) ?? this.#lastKey;
  }

  async #lookForKey(): Promise<KeyLook> {
    this.#lastKey = await this.#keyState();
    return this.#lastKey;
  }

  async #keyState(): Promise<KeyLook> {
    try {
      const { path, isPresent, trouble } = await this.#parts.keys.state();
      return { keyPresent: isPresent, keyPath: path, trouble };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { keyPresent: true, keyPath: await this.#parts.keys.path(), trouble: null };
    }
  }

  async #lookIn(
    ip: string | null | undefined,
    subject: string,
    keyTrouble: string | null,
    dueAt: number,
  ): Promise<Omit<GuestLook, 'subject'>> {
    const without = (state: SshState, detail: string | null) => ({
      ssh: { state, detail, hostKeys: null, observedAt: new Date().toISOString() },
      cluster: undefined,
    });
    if (keyTrouble !== null) return without('keyMissing', keyTrouble);
    if (ip === undefined) return without('notTried', null);
    if (ip === null) return without('unreachable', 'The virtual machine has no address yet.');
    if (this.#target?.subject !== subject) this.#guest.forget();
    this.#target = { ip, subject };
    const found = await this.#guest.recentWithin(dueAt - Date.now());
    if (found !== undefined) return found;
    if (this.#lastGuest?.subject === subject) return this.#lastGuest;
    return without('unreachable', 'The virtual machine has not responded in time; the manager tries again.');
  }

  async #lookInside(): Promise<GuestLook> {
    const { battlegroups, guest, hostKeys } = this.#parts;
    const { ip, subject } = this.#target ?? { ip: '', subject: '' };
    const observedAt = () => new Date().toISOString();
    try {
      const cluster = await battlegroups.probe(await guest.at(ip));
      const ssh = { state: 'ready' as const, detail: null, hostKeys: null, observedAt: observedAt() };
      this.#lastGuest = { subject, ssh, cluster };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const state = sshStateOf(error);
      const keys =
        state === 'hostKeyChanged'
          ? { known: await hostKeys.known(), shown: refusedFingerprint(error) }
          : null;
      const ssh = { state, detail: error.message, hostKeys: keys, observedAt: observedAt() };
      this.#lastGuest = { subject, ssh, cluster: undefined };
    }
    return this.#lastGuest;
  }

  /** Without a response of Windows the state is unknown, and the figures are the last known ones. */
  async #viewVm(host: Status['host'], view: HostView | undefined): Promise<Status['vm']> {
    const { starter, vmName: name } = this.#parts;
    const observedAt = view?.observedAt ?? null;
    const isKnown = host.state === 'ready';
    if (view === undefined || view.vm === null)
      return { ...missingVm, name, state: isKnown ? 'missing' : 'unknown', observedAt };
    const { state, ip, memoryGB, uptimeSeconds } = view.vm;
    const memory = await starter.memoryOf(view.vm);
    return { name, state: isKnown ? state : 'unknown', ip, memoryGB, ...memory, uptimeSeconds, observedAt };
  }
}

const missingVm = {
  ip: null,
  memoryGB: null,
  startupMemoryGB: null,
  configuredMemoryGB: null,
  isMemoryTemporary: false,
  uptimeSeconds: null,
};

/** An installed cluster that does not respond gives no information. */
function needsBootstrap({ isUp, isInstalled, trouble, battlegroups }: ClusterView): boolean {
  return isUp ? trouble === undefined && battlegroups.length === 0 : !isInstalled;
}

function viewCluster(cluster: ClusterView | undefined): Omit<Status['cluster'], 'observedAt'> {
  if (cluster === undefined) return { state: 'notAsked', detail: null };
  const { isUp, trouble, battlegroups, namespaces } = cluster;
  if (needsBootstrap(cluster))
    return namespaces.length > 0
      ? { state: 'incomplete', detail: 'A bootstrap did not finish; repair it.' }
      : { state: 'empty', detail: null };
  if (!isUp)
    return { state: 'starting', detail: 'It does not respond yet. After a start this takes about a minute.' };
  if (trouble !== undefined) return { state: 'failed', detail: trouble };
  if (battlegroups.length > 1)
    return {
      state: 'several',
      detail: `There are ${battlegroups.length} battlegroups; the manager manages one. Remove the others within the virtual machine.`,
    };
  return { state: 'ready', detail: null };
}
