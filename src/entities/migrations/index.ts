// The numbered migrations in their order; a released one is never changed.
import { TheHouse } from './0001-the-house.ts';
import { Audit } from './0002-audit.ts';
import { Accounts } from './0003-accounts.ts';
import { Teams } from './0004-teams.ts';
import { ApiKeys } from './0005-api-keys.ts';
import { PlayerActions } from './0006-player-actions.ts';

export const migrations = [
  { name: '0001-the-house', class: TheHouse },
  { name: '0002-audit', class: Audit },
  { name: '0003-accounts', class: Accounts },
  { name: '0004-teams', class: Teams },
  { name: '0005-api-keys', class: ApiKeys },
  { name: '0006-player-actions', class: PlayerActions },
];
