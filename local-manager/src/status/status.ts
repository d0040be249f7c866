// Puts together what the manager sees: host, virtual machine, the way into it, and battlegroup. It never fails.
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

/** How long one look serves all who ask. */
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

interface Observed {
  status: Omit<Status, 'operation' | 'version' | 'startedAt'>;
  hasEmptyNamespaces: boolean;
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
    const { status } = await this.#shared.recent();
    const { running } = operations;
    return {
      version,
      startedAt: startedAt.toISOString(),
      ...status,
      operation: running === undefined ? null : { id: running.id, kind: running.kind },
    };
  }

  /** Whether a bootstrap has left a namespace for servers and no battlegroup. */
  async hasEmptyNamespaces(): Promise<boolean> {
    return (await this.#shared.recent()).hasEmptyNamespaces;
  }

  /** What is looked at from now on counts. */
  forget(): void {
    this.#shared.forget();
  }

  async #observe(): Promise<Observed> {
    const [{ host, view }, key] = await Promise.all([this.#lookAtHost(), this.#lookForKey()]);
    const vm = view?.vm ?? null;
    const { ssh, cluster } = await this.#lookIn(vm?.state === 'running' ? vm.ip : undefined, key.keyPresent);
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
      ssh: {
        ...ssh,
        ...(others.length > 0 && {
          detail: `There are ${others.length + 1} battlegroups; the manager looks after one.`,
        }),
        ...key,
        wsl: this.#parts.keys.isWsl,
      },
      battlegroup,
      links: {
        fileBrowser: ip === null ? null : `http://${ip}:${fileBrowserPort}/`,
        director:
          ip === null || battlegroup === null || battlegroup.directorPort === null
            ? null
            : `http://${ip}:${battlegroup.directorPort}/`,
      },
    };
    const hasEmptyNamespaces =
      cluster !== undefined && needsBootstrap(cluster) && cluster.namespaces.length > 0;
    return { status, hasEmptyNamespaces };
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

  async #lookForKey(): Promise<Pick<Status['ssh'], 'keyPresent' | 'keyPath'>> {
    try {
      const { path, isPresent } = await this.#parts.keys.state();
      return { keyPresent: isPresent, keyPath: path };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { keyPresent: true, keyPath: await this.#parts.keys.path() };
    }
  }

  async #lookIn(ip: string | null | undefined, isKeyPresent: boolean): Promise<GuestLook> {
    if (!isKeyPresent)
      return { ssh: { state: 'keyMissing', detail: 'There is no SSH key file.' }, cluster: undefined };
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

/** A cluster that does not answer, though it is installed, tells nothing. */
function needsBootstrap({ isUp, isInstalled, trouble, battlegroups }: ClusterView): boolean {
  return isUp ? trouble === undefined && battlegroups.length === 0 : !isInstalled;
}

function viewOfVm(name: string, view: HostView | undefined): Status['vm'] {
  const nothing = { ip: null, memoryGB: null, startupMemoryGB: null, uptimeSeconds: null };
  if (view === undefined) return { name, state: 'unknown', ...nothing };
  if (view.vm === null) return { name, state: 'missing', ...nothing };
  const { state, ip, memoryGB, startupMemoryGB, uptimeSeconds } = view.vm;
  return { name, state, ip, memoryGB, startupMemoryGB, uptimeSeconds };
}
