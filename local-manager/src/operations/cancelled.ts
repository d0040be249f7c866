// Describes what a cancelled operation leaves behind, and what to do about it.
import type { Operation } from './operation-run.ts';

const whatToDo: Partial<Record<Operation['kind'], string>> = {
  startVm: 'The virtual machine is running or starting; the manager no longer waits for it.',
  startBattlegroup: 'The battlegroup continues to start; the manager no longer waits for it.',
  stopBattlegroup: 'The battlegroup continues to stop; the manager no longer waits for it.',
  createBackup: 'The unfinished copy was removed. Back up again when it suits you.',
  restoreBackup: 'The database is unchanged, and the battlegroup is stopped: start it, or restore again.',
  importVm: 'Import again: it resumes with the missing parts.',
  setUpNetwork:
    'The virtual machine reverts to its old address within two minutes. Nothing was changed permanently.',
  repair: 'The namespaces are being deleted. Wait a minute, then repair again.',
  recoverKey: 'Nothing was changed on this host. Recover access again at any time.',
};

export function cancellationOf({ kind, steps }: Operation): string {
  if (kind === 'restartBattlegroup') return restartOf(steps);
  return whatToDo[kind] ?? 'Completed steps are not undone.';
}

/** A restart that was cut in the middle leaves the battlegroup stopped. */
function restartOf(steps: Operation['steps']): string {
  return steps.some(({ name }) => name === 'Start the battlegroup')
    ? 'The battlegroup continues to start; the manager no longer waits for it.'
    : 'The battlegroup stops and stays stopped: start it, so that players can join again.';
}
