// Describes the outcome of an interrupted operation, and what to do about it.
import type { Operation } from './operation-run.ts';

const ended = 'The manager ended during the operation.';
const within = 'The vendor’s program may still be running in the virtual machine, or may have been cut off.';

const advice: Record<Operation['kind'], string> = {
  startVm:
    'Check the state of the virtual machine, and start it if it is off; its configured memory is restored.',
  stopVm: 'Windows may still be shutting it down: check its state, and stop it again if it is running.',
  changeMemory: 'Check the configured memory: it is the old or the new value.',
  startBattlegroup: `${within} Check its state, and start it again if it stays stopped.`,
  stopBattlegroup: `${within} Check its state, and stop it again if it is still running.`,
  restartBattlegroup: `${within} Check its state, and start it if it is stopped.`,
  updateBattlegroup: `${within} Wait a few minutes, then update again: finished downloads are not repeated.`,
  backUpBattlegroup: `${within} A backup from that time may be incomplete: back up again.`,
  createBackup: 'The incomplete copy was removed. Back up again.',
  restoreBackup:
    'The database is either unchanged or fully restored: the restore is one transaction. Check the world, or restore again; there is a backup of the previous state.',
  importVm: 'Import again: it resumes with the missing parts.',
  secureVm:
    'The key change was completed or undone at this start. The password may be the old or the new one: lock the virtual machine again.',
  recoverKey:
    'The virtual machine may accept an additional key. Recover access again; the present key is intact.',
  acceptHostKey: 'Check whether the virtual machine can be accessed; if not, accept its host key again.',
  setUpNetwork:
    'The virtual machine reverts to its old address within two minutes, unless the new one was already confirmed: check its address, and set up the network again.',
  bootstrap: `${within} Wait a few minutes; if there is still no battlegroup, repair the setup.`,
  repair: `${within} Wait a few minutes; if there is still no battlegroup, repair it again.`,
  reset: 'Some of it is deleted. Delete again; the list shows what is left.',
  changeVisibility: 'Check the advertised address: it is either the old or the new one.',
  changeGameConfig: 'Check the game settings: either both files are unchanged or both are saved.',
  deployGameConfig: `${within} Apply the settings again.`,
  unlockTech: 'Check the character’s tech tree: it is either fully unlocked or unchanged.',
};

export const interruptionOf = (kind: Operation['kind']): NonNullable<Operation['problem']> => ({
  code: 'operation_ended',
  detail: `${ended} ${advice[kind]}`,
});
