// The jobs of the queue and the schedule of recurring jobs.
import { parseCronItems } from 'graphile-worker';
import type { FindDue } from './due-work.ts';
import type { EventRelays } from '../services/events/relay.ts';
import type { MonthArchive } from '../archive/month-archive.ts';
import type { AlertRounds } from '../services/alerts/rounds.ts';
import type { AnalyticsRollUps } from '../services/analytics/roll-ups.ts';
import type { BackupRotation } from '../services/backups/index.ts';
import type { BusRevocations } from '../services/agents/bus-revocations.ts';
import type { CommandRelay } from '../services/commands/relay.ts';
import type { PasswordResets } from '../services/auth/password-changes.ts';
import { createSandboxPartitions } from '../sandbox/partitions.ts';
import type { SimulatedAgents } from '../sandbox/simulated-agents.ts';
import type { SandboxClocks } from '../services/sandbox/clock.ts';
import type { Sandboxes } from '../services/sandbox/index.ts';
import type { DueSchedules } from '../services/schedules/due-pass.ts';
import type { FileRemoval } from '../storage/stored-files.ts';
import type { EarlyAccessMail } from '../services/early-access.ts';
import type { Postman } from '../mail/mail-out.ts';
import type { OperatorAlarms } from '../services/admin-health/operator-alarms.ts';
import type { PluginApplicationWork } from '../services/plugin-applications/jobs.ts';
import type { ResellerBills } from '../services/resellers/bill-records.ts';
import type { PlayerSessions } from '../services/plugin-events/player-sessions.ts';
import type { SubscriptionProvider } from '../payments/subscription-provider.ts';
import type { PaymentPolling } from '../services/store/checkout/payment-polling.ts';
import type { BuyerMail } from '../services/store/checkout/buyer-mail.ts';
import type { Checkouts } from '../services/store/checkout/checkouts.ts';
import type { StoreSubscriptions } from '../services/store/settings/subscriptions.ts';
import type { DeliveryDispatch } from '../services/store/deliveries/dispatch.ts';
import type { PaymentWarnings } from '../services/store/orders/warnings.ts';
import type { LeaseRunner } from '../leases/lease-runner.ts';
import { runMaintenance } from './housekeeping.ts';
import type { BatchRunner } from './in-batches.ts';
import type { JobPayloads } from '../queue/payloads.ts';
import { deleteOld } from './retention.ts';
import type { PlatformCounting } from './platform-counting.ts';
import type { StatsPacking } from './stats-packing.ts';
import type { StatsRollUp } from './stats-roll-up.ts';
import type { WebhookReplayWork } from '../services/webhooks/replay-work.ts';

export interface TaskServices {
  alerts: AlertRounds;
  analytics: AnalyticsRollUps;
  archive: MonthArchive;
  backupRotation: BackupRotation;
  /** Lifts bans of every license that have expired. */
  liftBans: () => Promise<void>;
  batches: BatchRunner;
  buyerMail: BuyerMail;
  checkouts: Checkouts;
  deliveries: DeliveryDispatch;
  /** Sends customers with new accounts the links for choosing their passwords. */
  welcomeCustomers: (licenseIds: readonly string[]) => Promise<void>;
  findDue: FindDue;
  earlyAccess: EarlyAccessMail;
  fileRemoval: FileRemoval;
  notificationMail: LeaseRunner;
  /** Renews due module subscriptions of every license. */
  renewModules: () => Promise<void>;
  notifications: LeaseRunner;
  operatorAlarms: OperatorAlarms;
  paymentPolling: PaymentPolling;
  paymentWarnings: PaymentWarnings;
  platformCounting: PlatformCounting;
  playerSessions: PlayerSessions;
  pluginApplications: PluginApplicationWork;
  postman: Postman;
  relay: CommandRelay;
  resellerBills: ResellerBills;
  resets: PasswordResets;
  revocations: BusRevocations;
  sandboxClocks: SandboxClocks;
  sandboxes: Sandboxes;
  simulatedAgents: SimulatedAgents;
  schedules: DueSchedules;
  statsPacking: StatsPacking;
  statsRollUp: StatsRollUp;
  storeSubscriptions: StoreSubscriptions;
  subscriptionProvider: SubscriptionProvider;
  eventRelays: EventRelays;
  webhookReplays: WebhookReplayWork;
  webhooks: LeaseRunner;
}

export type Tasks = { [Name in keyof JobPayloads]: (payload: JobPayloads[Name]) => Promise<void> };

export function createTasks(services: TaskServices): Tasks {
  return {
    'relay-commands': ({ host_id }) => services.relay.relay(host_id),
    'publish-revocations': () => services.revocations.publish(),
    'start-password-reset': ({ email }) => services.resets.start(email),
    'send-mail': (letter) => services.postman.send(letter),
    'rotate-backups': (instance) => services.backupRotation.rotate(instance),
    'apply-plugin-config': (application) => services.pluginApplications.prepare(application),
    'read-back-plugin-config': (application) => services.pluginApplications.readBack(application),
    'remove-file': ({ file_id }) => services.fileRemoval.remove(file_id),
    'remove-files': (files) => services.fileRemoval.removeOf(files),
    'prepare-sandboxes': () => services.batches.execute(createSandboxPartitions),
    'open-checkout': ({ license_id, order_id }) => services.checkouts.open(license_id, order_id),
    'close-checkout': ({ license_id, order_id }) => services.checkouts.close(license_id, order_id),
    'warn-of-payment': ({ license_id, order_id }) => services.paymentWarnings.warn(license_id, order_id),
    'write-to-buyer': ({ license_id, order_id }) => services.buyerMail.write(license_id, order_id),
    'open-subscription': ({ license_id, subscription_id }) =>
      services.storeSubscriptions.open(license_id, subscription_id),
    'cancel-subscription': ({ reference }) => services.subscriptionProvider.cancel(reference),
    'undo-subscription': ({ reference }) => services.subscriptionProvider.undo(reference),
    'welcome-signup': ({ claim_id }) => services.earlyAccess.welcome(claim_id),
    'welcome-customers': ({ license_ids }) => services.welcomeCustomers(license_ids),
    'record-reseller-bills': () => services.resellerBills.record(),
    'renew-module-subscriptions': () => services.renewModules(),
    housekeeping: () => runMaintenance(services.batches),
    'archive-months': () => services.archive.run(),
    'delete-old': () => deleteOld(services.batches),
    'recount-platform': () => services.platformCounting.recount(),
  };
}

export const crontab = parseCronItems([
  { task: 'housekeeping', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
  { task: 'delete-old', match: '23,53 * * * *', options: { backfillPeriod: 0 } },
  {
    task: 'archive-months',
    match: '33 * * * *',
    // A run that fails again and again is replaced by the next one.
    options: { backfillPeriod: 0, jobKey: 'archive months' },
  },
  { task: 'recount-platform', match: '47 3 * * *', options: { backfillPeriod: 0 } },
  { task: 'renew-module-subscriptions', match: '*/5 * * * *', options: { backfillPeriod: 0 } },
  { task: 'record-reseller-bills', match: '17 * * * *', options: { backfillPeriod: 0 } },
]);
