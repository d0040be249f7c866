// The numbered migrations in their order; a released one is never changed.
import { TheHouse } from './0001-the-house.ts';
import { Audit } from './0002-audit.ts';
import { Accounts } from './0003-accounts.ts';
import { Teams } from './0004-teams.ts';
import { ApiKeys } from './0005-api-keys.ts';
import { PlayerActions } from './0006-player-actions.ts';
import { Changelog } from './0007-changelog.ts';
import { Schedules } from './0008-schedules.ts';
import { AppendOnlyPartitions } from './0009-append-only-partitions.ts';
import { RefreshSuccessors } from './0010-refresh-successors.ts';
import { FormerSubdomains } from './0011-former-subdomains.ts';
import { AuditActors } from './0012-audit-actors.ts';
import { SessionsUnseen } from './0013-sessions-unseen.ts';
import { Backups } from './0015-backups.ts';
import { Wipes } from './0016-wipes.ts';
import { Maps } from './0017-maps.ts';
import { UncertainBans } from './0018-uncertain-bans.ts';
import { FileChanges } from './0019-file-changes.ts';
import { PlayerEvents } from './0020-player-events.ts';
import { Webhooks } from './0021-webhooks.ts';
import { PublicStatus } from './0022-public-status.ts';

export const migrations = [
  { name: '0001-the-house', class: TheHouse },
  { name: '0002-audit', class: Audit },
  { name: '0003-accounts', class: Accounts },
  { name: '0004-teams', class: Teams },
  { name: '0005-api-keys', class: ApiKeys },
  { name: '0006-player-actions', class: PlayerActions },
  { name: '0007-changelog', class: Changelog },
  { name: '0008-schedules', class: Schedules },
  { name: '0009-append-only-partitions', class: AppendOnlyPartitions },
  { name: '0010-refresh-successors', class: RefreshSuccessors },
  { name: '0011-former-subdomains', class: FormerSubdomains },
  { name: '0012-audit-actors', class: AuditActors },
  { name: '0013-sessions-unseen', class: SessionsUnseen },
  { name: '0015-backups', class: Backups },
  { name: '0016-wipes', class: Wipes },
  { name: '0017-maps', class: Maps },
  { name: '0018-uncertain-bans', class: UncertainBans },
  { name: '0019-file-changes', class: FileChanges },
  { name: '0020-player-events', class: PlayerEvents },
  { name: '0021-webhooks', class: Webhooks },
  { name: '0022-public-status', class: PublicStatus },
];
