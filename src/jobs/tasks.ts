// The jobs of the queue, the schedule of recurring jobs, and the chores that every replica repeats.
import { parseCronItems } from 'graphile-worker';
import type { AlertRounds } from '../services/alerts/rounds.ts';
import type { AnalyticsRollUps } from '../services/analytics/roll-ups.ts';
import type { BackupRotation } from '../services/backups/index.ts';
import type { BusRevocations } from '../services/agents/bus-revocations.ts';
import type { CommandRelay } from '../services/commands/relay.ts';
import type { BanLifting } from '../services/players/ban-lifting.ts';
import type { PasswordResets } from '../services/auth/password-changes.ts';
import type { DueSchedules } from '../services/schedules/due-schedules.ts';
import type { FileRemoval } from '../storage/stored-files.ts';
import type { EarlyAccessMail } from '../services/early-access.ts';
import type { Postman } from '../mail/mail-out.ts';
import type { OperatorAlarms } from '../services/admin-health/operator-alarms.ts';
import type { PluginApplicationWork } from '../services/plugin-applications/jobs.ts';
import type { ModuleRenewals } from '../services/modules/renewals.ts';
import type { ResellerBills } from '../services/resellers/bill-records.ts';
import type { PlayerSessions } from '../services/plugin-events/player-sessions.ts';
import type { SubscriptionProvider } from '../payments/subscription-provider.ts';
import type { PaymentQuestions } from '../services/store/checkout/payment-polling.ts';
import type { BuyerMail } from '../services/store/checkout/buyer-mail.ts';
import type { Checkouts } from '../services/store/checkout/checkouts.ts';
import type { StoreSubscriptions } from '../services/store/settings/subscriptions.ts';
import type { DeliveryDispatch } from '../services/store/deliveries/dispatch.ts';
import { giveUpDeliveries, giveUpOrders } from '../services/store/deliveries/expiry.ts';
import type { PaymentWarnings } from '../services/store/orders/warnings.ts';
import { endLostWipes } from '../services/wipes/outcomes.ts';
import type { LeaseRunner } from '../leases/lease-runner.ts';
import { endLostRuns, expireCommands, runMaintenance } from './housekeeping.ts';
import type { BatchRunner } from './in-batches.ts';
import type { JobPayloads } from '../queue/payloads.ts';
import { deleteOld } from './retention.ts';
import type { StatsRollUp } from './stats-roll-up.ts';

export interface TaskServices {
  alerts: AlertRounds;
  analytics: AnalyticsRollUps;
  backupRotation: BackupRotation;
  banLifting: BanLifting;
  batches: BatchRunner;
  buyerMail: BuyerMail;
  checkouts: Checkouts;
  deliveries: DeliveryDispatch;
  /** Sends customers with new accounts the links for choosing their passwords. */
  welcomeCustomers: (licenseIds: readonly string[]) => Promise<void>;
  earlyAccess: EarlyAccessMail;
  fileRemoval: FileRemoval;
  notificationMail: LeaseRunner;
  moduleRenewals: ModuleRenewals;
  notifications: LeaseRunner;
  operatorAlarms: OperatorAlarms;
  paymentQuestions: PaymentQuestions;
  paymentWarnings: PaymentWarnings;
  playerSessions: PlayerSessions;
  pluginApplications: PluginApplicationWork;
  postman: Postman;
  relay: CommandRelay;
  resellerBills: ResellerBills;
  resets: PasswordResets;
  revocations: BusRevocations;
  schedules: DueSchedules;
  statsRollUp: StatsRollUp;
  storeSubscriptions: StoreSubscriptions;
  subscriptionProvider: SubscriptionProvider;
  webhooks: LeaseRunner;
}

export type Tasks = { [Name in keyof JobPayloads]: (payload: JobPayloads[Name]) => Promise<void> };

export function createTasks({
  backupRotation,
  batches,
  buyerMail,
  checkouts,
  earlyAccess,
  fileRemoval,
  moduleRenewals,
  paymentWarnings,
  pluginApplications,
  postman,
  relay,
  resellerBills,
  resets,
  revocations,
  storeSubscriptions,
  subscriptionProvider,
  welcomeCustomers,
}: TaskServices): Tasks {
  return {
    'relay-commands': ({ host_id }) => relay.relay(host_id),
    'publish-revocations': () => revocations.publish(),
    'start-password-reset': ({ email }) => resets.start(email),
    'send-mail': (letter) => postman.send(letter),
    'rotate-backups': (instance) => backupRotation.rotate(instance),
    'apply-plugin-config': (application) => pluginApplications.prepare(application),
    'read-back-plugin-config': (application) => pluginApplications.readBack(application),
    'remove-file': ({ file_id }) => fileRemoval.remove(file_id),
    'open-checkout': ({ license_id, order_id }) => checkouts.open(license_id, order_id),
    'close-checkout': ({ license_id, order_id }) => checkouts.close(license_id, order_id),
    'warn-of-payment': ({ license_id, order_id }) => paymentWarnings.warn(license_id, order_id),
    'write-to-buyer': ({ license_id, order_id }) => buyerMail.write(license_id, order_id),
    'open-subscription': ({ license_id, subscription_id }) =>
      storeSubscriptions.open(license_id, subscription_id),
    'cancel-subscription': ({ reference }) => subscriptionProvider.cancel(reference),
    'undo-subscription': ({ reference }) => subscriptionProvider.undo(reference),
    'welcome-signup': ({ claim_id }) => earlyAccess.welcome(claim_id),
    'welcome-customers': ({ license_ids }) => welcomeCustomers(license_ids),
    'record-reseller-bills': () => resellerBills.record(),
    'renew-module-subscriptions': () => moduleRenewals.renewDue(),
    housekeeping: () => runMaintenance(batches),
    'delete-old': () => deleteOld(batches),
  };
}

export const crontab = parseCronItems([
  { task: 'housekeeping', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
  { task: 'delete-old', match: '23,53 * * * *', options: { backfillPeriod: 0 } },
  { task: 'renew-module-subscriptions', match: '*/5 * * * *', options: { backfillPeriod: 0 } },
  { task: 'record-reseller-bills', match: '17 * * * *', options: { backfillPeriod: 0 } },
]);

/** Work too frequent for the queue. Any number of replicas may run it at once. */
export interface Chore {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
}

export type ChoreName = ReturnType<typeof createChores>[number]['name'] | 'free jobs of crashed processes';

export function createChores({
  alerts,
  analytics,
  banLifting,
  batches,
  deliveries,
  fileRemoval,
  notificationMail,
  notifications,
  operatorAlarms,
  paymentQuestions,
  playerSessions,
  relay,
  schedules,
  statsRollUp,
  webhooks,
}: TaskServices) {
  return [
    { name: 'evaluate alerts', everyMs: 1_000, work: () => alerts.run() },
    { name: 'count for analytics', everyMs: 2_000, work: () => analytics.run() },
    { name: 'send deliveries', everyMs: 500, work: () => deliveries.sendDue() },
    { name: 'find players of deliveries', everyMs: 2_000, work: () => deliveries.findPlayers() },
    { name: 'give up deliveries', everyMs: 10_000, work: () => batches.repeat(giveUpDeliveries) },
    { name: 'ask for payments', everyMs: 5_000, work: () => paymentQuestions.askDue() },
    { name: 'give up orders', everyMs: 5_000, work: () => batches.repeat(giveUpOrders) },
    { name: 'lift bans', everyMs: 5_000, work: () => banLifting.liftDue() },
    { name: 'derive player sessions', everyMs: 1_000, work: () => playerSessions.deriveDue() },
    { name: 'resume stuck commands', everyMs: 5_000, work: () => relay.resumeStuck() },
    { name: 'expire commands', everyMs: 10_000, work: () => batches.repeat(expireCommands) },
    { name: 'sweep the storage', everyMs: 60_000, work: () => fileRemoval.sweep() },
    { name: 'run due schedules', everyMs: 1_000, work: () => schedules.run() },
    { name: 'announce runs of schedules', everyMs: 500, work: () => schedules.announce() },
    { name: 'end lost runs of schedules', everyMs: 10_000, work: () => batches.repeat(endLostRuns) },
    { name: 'roll stats up', everyMs: 20_000, work: () => statsRollUp.run() },
    { name: 'begin turns of webhooks', everyMs: 250, work: () => webhooks.begin() },
    { name: 'begin turns of notifications', everyMs: 250, work: () => notifications.begin() },
    { name: 'begin turns of mail', everyMs: 250, work: () => notificationMail.begin() },
    { name: 'watch queues', everyMs: 30_000, work: () => operatorAlarms.run() },
    { name: 'end lost wipes', everyMs: 10_000, work: () => batches.repeat(endLostWipes) },
  ] as const satisfies readonly Chore[];
}
