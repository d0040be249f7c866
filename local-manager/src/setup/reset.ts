// Deletes everything that a setup has created, lists it beforehand, and reports what remains.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Backups } from '../backups/backups.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import type { KeyFile } from '../keys/key-file.ts';
import type { OperationRun, Operation } from '../operations/operation-run.ts';
import type { Operations, OperationResult } from '../operations/operations.ts';
import { fieldsOf, flagOf, gigabytes, listOf, numberOf, textOf } from '../parsing.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import type { Preflight } from './preflight.ts';
import type { SetupState } from './setup-state.ts';

type ResetItem = components['schemas']['ResetItem'];

const confirmation = 'DELETE';
const removeTimeoutMs = 15 * 60_000;
const cache = { kind: 'cache', name: 'The manager’s data about this virtual machine' } as const;

interface Parts {
  backups: Backups;
  guest: Guest;
  bridge: HostBridge;
  reader: VmReader;
  keys: KeyFile;
  battlegroups: Battlegroups;
  operations: Operations;
  preflight: Preflight;
  state: SetupState;
  vmName: string;
}

interface Outcome {
  removed: ResetItem[];
  remaining: ResetItem[];
}

export class Reset {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async plan(): Promise<ResetItem[]> {
    const { bridge, keys, vmName } = this.#parts;
    const found = await bridge.run('get-reset-plan', { vmName }, { timeoutMs: removeTimeoutMs });
    const vmState = textOf(found['vmState']);
    const copy = (await keys.hasCopy()) ? [item('key', keys.copyPath, 'the manager’s copy')] : [];
    return [
      ...(vmState === null ? [] : [item('vm', vmName, vmState.toLowerCase())]),
      ...listOf(found['folders'])
        .map(fieldsOf)
        .flatMap(({ path, bytes }) => {
          const name = textOf(path);
          return name === null ? [] : [item('folder', name, `${gigabytes(numberOf(bytes)) ?? 0} GB`)];
        }),
      ...listOf(found['keys'])
        .map(textOf)
        .flatMap((path) => (path === null ? [] : [item('key', path, null)])),
      ...copy,
      item(cache.kind, cache.name, null),
    ];
  }

  /** With `backup`, nothing is deleted unless the backup succeeds. */
  async start(confirm: string | undefined, backup: boolean): Promise<Operation> {
    if (confirm !== confirmation)
      throw refusal('confirmation_needed', `Nothing was deleted: send the word ${confirmation} to confirm.`);
    const { operations, guest, battlegroups, backups } = this.#parts;
    operations.refuseWhileRunning();
    const plan = await this.plan();
    const shell = backup ? await guest.open() : undefined;
    const world = shell === undefined ? undefined : await battlegroups.only(shell);
    return operations.start('reset', async (run) => {
      if (shell !== undefined && world !== undefined)
        await backups.createIn(run, shell, world, 'beforeReset');
      return this.#run(run, plan);
    });
  }

  /** A failed removal does not stop the others; the outcome lists it. */
  async #run(run: OperationRun, plan: ResetItem[]): Promise<OperationResult> {
    const { battlegroups, bridge, keys, preflight, reader, state, vmName } = this.#parts;
    const outcome: Outcome = { removed: [], remaining: [] };
    if (await battlegroups.stopIfReachable(run).catch(refused(run)))
      outcome.removed.push(item('battlegroup', 'The running battlegroup', 'stopped'));
    const long = { timeoutMs: removeTimeoutMs };
    for (const planned of plan) {
      // If the machine remains, its files and its key remain as well.
      if (outcome.remaining.some(({ kind }) => kind === 'vm')) {
        outcome.remaining.push(
          item(planned.kind, planned.name, 'kept, because the virtual machine still exists'),
        );
        continue;
      }
      await this.#remove(run, outcome, planned, async () => {
        if (planned.kind === 'vm') return flagOf((await bridge.run('remove-vm', { vmName }, long))['exists']);
        if (planned.kind === 'folder')
          return flagOf(
            (await bridge.run('remove-folder', { path: planned.name, onlyLeft: false }, long))['exists'],
          );
        if (planned.kind === 'key') {
          await bridge.run('remove-keys', {});
          await keys.removeCopies();
          return (await this.plan()).some(({ kind, name }) => kind === 'key' && name === planned.name);
        }
        await state.clear();
        return false;
      });
    }
    await reader.now();
    const checked = await run.step('Check the host', () => preflight.get());
    const { removed, remaining } = outcome;
    return {
      summary:
        remaining.length === 0
          ? 'Everything is deleted.'
          : `${remaining.length} of ${plan.length} could not be deleted: ${remaining.map(({ name }) => name).join(', ')}.`,
      removed,
      remaining,
      preflight: checked,
    };
  }

  async #remove(
    run: OperationRun,
    { removed, remaining }: Outcome,
    planned: ResetItem,
    work: () => Promise<boolean>,
  ): Promise<void> {
    const { kind, name } = planned;
    try {
      const isThere = await run.step(`Remove ${name}`, work);
      if (isThere) remaining.push(item(kind, name, 'still exists'));
      else removed.push(planned);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      run.line('error', error.message);
      remaining.push(item(kind, name, error.message));
    }
  }
}

const item = (kind: ResetItem['kind'], name: string, detail: string | null): ResetItem => ({
  kind,
  name,
  detail,
});

/** A battlegroup that does not stop is deleted with its virtual machine anyway. */
const refused = (run: OperationRun) => (error: unknown) => {
  if (!isRefusal(error)) throw error;
  run.line('error', error.message);
  return false;
};
