// Collects the manager's status: host, virtual machine, access to it, and battlegroup. It never fails.
import type { components } from '../../../generated/local-manager.d.ts';
import { viewBattlegroup } from '../battlegroup/battlegroup-view.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { ClusterView } from '../battlegroup/cluster-probe.ts';
import type { Guest } from '../guest-shell/guest.ts';
import { sshStateOf } from '../guest-shell/ssh-errors.ts';
import type { KeyFile } from '../keys/key-file.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal } from '../refusals.ts';
import { Shared } from '../shared.ts';
import { hostStateOf, type HostView, type VmReader } from '../vm/vm-reader.ts';

type Status = components['schemas']['Status'];

/** How long one result serves all callers. */
const freshMs = 2_000;
const fileBrowserPort = 18888;

interface Parts {
  reader: VmReader;
  keys: KeyFile;
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  vmName: string;
  version: string;
  startedAt: Date;
}

type Observed = Omit<Status, 'operation' | 'version' | 'startedAt'>;

interface KeyLook extends Pick<Status['ssh'], 'keyPresent' | 'keyPath'> {
  trouble: string | null;
}

interface GuestLook {
  ssh: Pick<Status['ssh'], 'state' | 'detail'>;
  cluster: ClusterView | undefined;
}

export class StatusObserver {
  readonly #parts: Parts;
  readonly #shared: Shared<Observed>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#shared = new Shared(freshMs, () => this.#observe());
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
  }

  async #observe(): Promise<Observed> {
    const [{ host, view }, { trouble, ...key }] = await Promise.all([this.#lookAtHost(), this.#lookForKey()]);
    const vm = view?.vm ?? null;
    const { ssh, cluster } = await this.#lookIn(vm?.state === 'running' ? vm.ip : undefined, trouble);
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
      vm: viewOfVm(this.#parts.vmName, view),
      ssh: { ...ssh, ...key, wsl: this.#parts.keys.isWsl },
      cluster: viewCluster(cluster),
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

  async #lookAtHost(): Promise<{ host: Status['host']; view: HostView | undefined }> {
    try {
      const view = await this.#parts.reader.recent();
      const { memoryTotalGB, memoryFreeGB } = view;
      return { host: { state: 'ready', detail: null, memoryTotalGB, memoryFreeGB }, view };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const unknown = { memoryTotalGB: null, memoryFreeGB: null };
      return { host: { state: hostStateOf(error), detail: error.message, ...unknown }, view: undefined };
    }
  }

  async #lookForKey(): Promise<KeyLook> {
    try {
      const { path, isPresent, trouble } = await this.#parts.keys.state();
      return { keyPresent: isPresent, keyPath: path, trouble };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { keyPresent: true, keyPath: await this.#parts.keys.path(), trouble: null };
    }
  }

  async #lookIn(ip: string | null | undefined, keyTrouble: string | null): Promise<GuestLook> {
    if (keyTrouble !== null) return { ssh: { state: 'keyMissing', detail: keyTrouble }, cluster: undefined };
    if (ip === undefined) return { ssh: { state: 'notTried', detail: null }, cluster: undefined };
    if (ip === null)
      return {
        ssh: { state: 'unreachable', detail: 'The virtual machine has no address yet.' },
        cluster: undefined,
      };
    try {
      const cluster = await this.#parts.battlegroups.probe(await this.#parts.guest.at(ip));
      return { ssh: { state: 'ready', detail: null }, cluster };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { ssh: { state: sshStateOf(error), detail: error.message }, cluster: undefined };
    }
  }
}

/** An installed cluster that does not respond gives no information. */
function needsBootstrap({ isUp, isInstalled, trouble, battlegroups }: ClusterView): boolean {
  return isUp ? trouble === undefined && battlegroups.length === 0 : !isInstalled;
}

function viewCluster(cluster: ClusterView | undefined): Status['cluster'] {
  if (cluster === undefined) return { state: 'notAsked', detail: null };
  const { isUp, trouble, battlegroups, namespaces } = cluster;
  if (needsBootstrap(cluster))
    return namespaces.length > 0
      ? { state: 'incomplete', detail: 'A bootstrap has not come to its end; repair it.' }
      : { state: 'empty', detail: null };
  if (!isUp)
    return { state: 'starting', detail: 'It does not respond yet. After a start this takes a minute.' };
  if (trouble !== undefined) return { state: 'failed', detail: trouble };
  if (battlegroups.length > 1)
    return {
      state: 'several',
      detail: `There are ${battlegroups.length} battlegroups; the manager looks after one. Remove the others within the virtual machine.`,
    };
  return { state: 'ready', detail: null };
}

function viewOfVm(name: string, view: HostView | undefined): Status['vm'] {
  const nothing = { ip: null, memoryGB: null, startupMemoryGB: null, uptimeSeconds: null };
  if (view === undefined) return { name, state: 'unknown', ...nothing };
  if (view.vm === null) return { name, state: 'missing', ...nothing };
  const { state, ip, memoryGB, startupMemoryGB, uptimeSeconds } = view.vm;
  return { name, state, ip, memoryGB, startupMemoryGB, uptimeSeconds };
}
