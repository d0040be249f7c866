// Describes the outcome of an interrupted operation, and what to do about it.
import type { Operation } from './operation-run.ts';

const ended = 'The manager ended while it ran.';
const within =
  'The vendor’s program may still be at it within the virtual machine, or may have been cut off.';

const advice: Record<Operation['kind'], string> = {
  startVm:
    'Look at the state of the virtual machine, and start it if it is off; its configured memory is put back.',
  stopVm: 'Windows may still be shutting it down: look at its state, and stop it again if it runs.',
  changeMemory: 'Look at the configured memory: it is the old or the new value.',
  startBattlegroup: `${within} Look at its phase, and start it again if it stays stopped.`,
  stopBattlegroup: `${within} Look at its phase, and stop it again if it still runs.`,
  restartBattlegroup: `${within} Look at its phase, and start it if it is stopped.`,
  updateBattlegroup: `${within} Wait some minutes, then update again: what is there already is not downloaded twice.`,
  backUpBattlegroup: `${within} Take no backup of that time for a whole one: back up again.`,
  createBackup: 'What was copied of it is removed by this start. Back up again.',
  restoreBackup:
    'The database is unchanged, or has the content of the backup: the restore is one transaction. Look at the world, or restore again; there is a backup of the state before.',
  importVm: 'Import again: it resumes with the missing parts.',
  secureVm:
    'A change of keys is settled by this start. The password may be the old or the new one: lock it again.',
  recoverKey: 'The virtual machine may accept one more key. Recover access again; the key in place is whole.',
  acceptHostKey: 'Look whether the virtual machine can be accessed; if not, accept its host key again.',
  setUpNetwork:
    'The virtual machine reverts to its old address within two minutes, unless the new one was kept already: check its address, and set up the network again.',
  bootstrap: `${within} Wait some minutes; if there is no battlegroup then, repair the setup.`,
  repair: `${within} Wait some minutes; if there is no battlegroup then, repair it again.`,
  reset: 'Some of it is deleted. Delete again: it shows what is left.',
  changeVisibility: 'Look at the address that is advertised: it is the old or the new one, whole.',
  changeGameConfig: 'Look at the game settings: both files are as they were, or both as they were to be.',
  deployGameConfig: `${within} Hand the settings over again.`,
  unlockTech: 'Look at the character’s tech tree: it is unlocked as a whole, or unchanged.',
};

export const interruptionOf = (kind: Operation['kind']): NonNullable<Operation['problem']> => ({
  code: 'operation_ended',
  detail: `${ended} ${advice[kind]}`,
});
