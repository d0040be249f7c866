// The registry of handlers: one for every operation of the manager's contract; a missing one does not compile.
import { automation } from './automation.ts';
import { backups } from './backups.ts';
import { battlegroup } from './battlegroup.ts';
import { characters } from './characters.ts';
import { diagnostics } from './diagnostics.ts';
import { gameConfig } from './game-config.ts';
import type { Handlers } from './handlers.ts';
import { monitoring } from './monitoring.ts';
import { operations } from './operations.ts';
import { serverLogs } from './server-logs.ts';
import { serverVisibility } from './server-visibility.ts';
import { setup } from './setup.ts';
import { status } from './status.ts';
import { updates } from './updates.ts';
import { vm } from './vm.ts';

export const areas = {
  automation,
  backups,
  battlegroup,
  characters,
  diagnostics,
  gameConfig,
  monitoring,
  operations,
  serverLogs,
  serverVisibility,
  setup,
  status,
  updates,
  vm,
};

export const handlers: Handlers = {
  ...automation,
  ...backups,
  ...battlegroup,
  ...characters,
  ...diagnostics,
  ...gameConfig,
  ...monitoring,
  ...operations,
  ...serverLogs,
  ...serverVisibility,
  ...setup,
  ...status,
  ...updates,
  ...vm,
};
