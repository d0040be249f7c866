// The numbered migrations in their order; a released one is never changed.
import { TheHouse } from './0001-the-house.ts';
import { Audit } from './0002-audit.ts';
import { Accounts } from './0003-accounts.ts';
import { Teams } from './0004-teams.ts';
import { ApiKeys } from './0005-api-keys.ts';
import { Changelog } from './0007-changelog.ts';
import { Schedules } from './0008-schedules.ts';

export const migrations = [
  { name: '0001-the-house', class: TheHouse },
  { name: '0002-audit', class: Audit },
  { name: '0003-accounts', class: Accounts },
  { name: '0004-teams', class: Teams },
  { name: '0005-api-keys', class: ApiKeys },
  { name: '0007-changelog', class: Changelog },
  { name: '0008-schedules', class: Schedules },
];
