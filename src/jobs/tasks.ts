// What each job of the queue does, when jobs come round by the clock, and the chores that every replica repeats.
import { parseCronItems } from 'graphile-worker';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { AnalyticsRollUps } from '../services/analytics/roll-ups.ts';
import type { BackupRotation } from '../services/backups/rotation.ts';
import type { BusRevocations } from '../services/bus-revocations.ts';
import type { CommandRelay } from '../services/command-relay.ts';
import type { BanLifting } from '../services/players/ban-lifting.ts';
import type { PasswordResets } from '../services/auth/password-changes.ts';
import type { DueSchedules } from '../services/schedules/due-schedules.ts';
import type { FileRemoval } from '../services/stored-files.ts';
import type { EarlyAccessMail } from '../services/early-access.ts';
import type { Postman } from '../services/mail.ts';
import type { PluginApplicationPreparation } from '../services/plugin-applications/preparation.ts';
import type { PlayerSessions } from '../services/plugin-events/player-sessions.ts';
import type { WebhookDispatch } from '../services/webhooks/dispatch.ts';
import { endLostRuns, endWipes, expireCommands, keepHouse } from './housekeeping.ts';
import type { JobPayloads } from './payloads.ts';
import type { StatsRollUp } from './stats-roll-up.ts';

export interface TaskServices {
  analytics: AnalyticsRollUps;
  backupRotation: BackupRotation;
  banLifting: BanLifting;
  earlyAccess: EarlyAccessMail;
  fileRemoval: FileRemoval;
  platform: PlatformScope;
  playerSessions: PlayerSessions;
  pluginApplications: PluginApplicationPreparation;
  postman: Postman;
  relay: CommandRelay;
  resets: PasswordResets;
  revocations: BusRevocations;
  schedules: DueSchedules;
  statsRollUp: StatsRollUp;
  webhooks: WebhookDispatch;
}

export type Tasks = { [Name in keyof JobPayloads]: (payload: JobPayloads[Name]) => Promise<void> };

export function createTasks({
  backupRotation,
  earlyAccess,
  fileRemoval,
  platform,
  pluginApplications,
  postman,
  relay,
  resets,
  revocations,
}: TaskServices): Tasks {
  return {
    'relay-commands': ({ host_id }) => relay.relay(host_id),
    'publish-revocations': () => revocations.publish(),
    'start-password-reset': ({ email }) => resets.start(email),
    'send-mail': (letter) => postman.send(letter),
    'rotate-backups': (instance) => backupRotation.rotate(instance),
    'apply-plugin-config': (application) => pluginApplications.prepare(application),
    'remove-file': ({ file_id }) => fileRemoval.remove(file_id),
    'welcome-signup': ({ claim_id }) => earlyAccess.welcome(claim_id),
    housekeeping: () => keepHouse(platform),
  };
}

export const crontab = parseCronItems([
  { task: 'housekeeping', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
]);

/** Work too frequent for the queue. Any number of replicas may do it at once. */
export interface Chore {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
}

export function createChores({
  analytics,
  banLifting,
  fileRemoval,
  platform,
  playerSessions,
  relay,
  schedules,
  statsRollUp,
  webhooks,
}: TaskServices): Chore[] {
  return [
    { name: 'count for analytics', everyMs: 2_000, work: () => analytics.run() },
    { name: 'lift bans', everyMs: 5_000, work: () => banLifting.liftDue() },
    { name: 'derive player sessions', everyMs: 1_000, work: () => playerSessions.deriveDue() },
    { name: 'resume stuck commands', everyMs: 5_000, work: () => relay.resumeStuck() },
    { name: 'expire commands', everyMs: 10_000, work: () => expireCommands(platform) },
    { name: 'sweep the storage', everyMs: 60_000, work: () => fileRemoval.sweep() },
    { name: 'run due schedules', everyMs: 1_000, work: () => schedules.run() },
    { name: 'end lost runs of schedules', everyMs: 10_000, work: () => endLostRuns(platform) },
    { name: 'roll stats up', everyMs: 20_000, work: () => statsRollUp.run() },
    { name: 'begin turns of webhooks', everyMs: 250, work: () => webhooks.begin() },
    { name: 'end lost wipes', everyMs: 10_000, work: () => endWipes(platform) },
  ];
}
