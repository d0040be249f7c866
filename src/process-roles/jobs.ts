// The role `jobs`: runs enqueued jobs and scheduled work.
import { isDuckdbInstalled } from '../archive/duckdb.ts';
import { MonthArchive } from '../archive/month-archive.ts';
import { BatchRunner } from '../jobs/in-batches.ts';
import { findDue } from '../jobs/due-work.ts';
import { startJobs } from '../jobs/runner.ts';
import { PlatformCounting } from '../jobs/platform-counting.ts';
import { StatsPacking } from '../jobs/stats-packing.ts';
import { StatsRollUp } from '../jobs/stats-roll-up.ts';
import type { TaskServices } from '../jobs/tasks.ts';
import { createMailer } from '../mail/mailer.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Closers, PlatformOptions } from './options.ts';
import { AlertRounds } from '../services/alerts/rounds.ts';
import { agentVersion } from '../services/alerts/versions.ts';
import { AnalyticsRollUps } from '../services/analytics/roll-ups.ts';
import { PasswordResets } from '../services/auth/password-changes.ts';
import { BackupRotation } from '../services/backups/index.ts';
import { CommandRelay } from '../services/commands/relay.ts';
import { EarlyAccessMail } from '../services/early-access.ts';
import { clearNews, EventRelays, licensesWithNews } from '../services/events/relay.ts';
import { Postman } from '../mail/mail-out.ts';
import { notificationLeases } from '../services/notifications/dispatch.ts';
import { BanLifting, claimBans } from '../services/players/ban-lifting.ts';
import { dueSchedules, DueSchedules } from '../services/schedules/due-pass.ts';
import { DueTimes } from '../services/schedules/due-times.ts';
import { runPlain } from '../services/schedules/due-command-runs.ts';
import { PluginApplicationWork } from '../services/plugin-applications/jobs.ts';
import { claimPolls, PaymentPolling } from '../services/store/checkout/payment-polling.ts';
import { BuyerMail } from '../services/store/checkout/buyer-mail.ts';
import { dueSubscriptions, ModuleRenewals } from '../services/modules/renewals.ts';
import { ResellerBills } from '../services/resellers/bill-records.ts';
import { welcomeCustomers } from '../services/resellers/welcome.ts';
import { OperatorAlarms } from '../services/admin-health/operator-alarms.ts';
import { findDueSessions, PlayerSessions } from '../services/plugin-events/player-sessions.ts';
import { FileRemoval } from '../storage/stored-files.ts';
import { SubscriptionProvider } from '../payments/subscription-provider.ts';
import { defaultPayments } from '../payments/settings.ts';
import {
  claimAskableInstances,
  DeliveryDispatch,
  findDeliveries,
} from '../services/store/deliveries/dispatch.ts';
import { PaymentWarnings } from '../services/store/orders/warnings.ts';
import { webhookLeases } from '../services/webhooks/dispatch.ts';
import { dueReplays, WebhookReplayWork } from '../services/webhooks/replay-work.ts';
import type { Parts } from './parts.ts';

export async function runJobs(parts: Parts, options: PlatformOptions, closers: Closers): Promise<void> {
  const { generations, monitor, revocations, transactions } = parts;
  const { databaseUrl: url, databaseLimits: limits, jobIntervals: intervals, log } = options;
  const database = { url, limits, generations };
  const services = openTaskServices(parts, options, closers);
  await revocations
    .publish()
    .catch((error: unknown) => log.warn({ err: error }, 'revocations could not be published'));
  const agents = parts.services.simulatedAgents;
  closers.push(() => agents.close());
  closers.push(
    startPeriodic({
      name: 'send heartbeats of simulated hosts',
      everyMs: options.heartbeatIntervalSeconds * 1_000,
      work: () => agents.beat(),
      monitor,
      log,
    }),
  );
  closers.push(await startJobs({ database, monitor, services, transactions, intervals, log }));
}

/** The services that jobs and chores use. */
export function openTaskServices(parts: Parts, options: PlatformOptions, closers: Closers): TaskServices {
  const { bus, commandEnds, contexts, mailOut, mapLinks, platform, publicUrl, revocations, storage } = parts;
  const { log } = options;
  const { tenant, transactions } = parts;
  const mailer = createMailer(options.mail, log);
  closers.push(async () => mailer.close());
  const webhooks = webhookLeases({ ...parts, secrets: parts.webhookSecrets, log });
  closers.push(() => webhooks.stop());
  const notificationParts = {
    ...parts,
    mailer,
    targets: parts.notificationTargets,
    pushoverUrl: options.pushoverUrl,
    log,
  };
  const notifications = notificationLeases(notificationParts, 'services');
  closers.push(() => notifications.stop());
  const notificationMail = notificationLeases(notificationParts, 'mail');
  closers.push(() => notificationMail.stop());
  const dueTimes = new DueTimes();
  const bans = new BanLifting(tenant);
  const renewals = new ModuleRenewals(tenant);
  const archive = openArchive(parts, options);
  closers.push(async () => archive.close());
  return {
    alerts: new AlertRounds(platform, contexts, agentVersion()),
    analytics: new AnalyticsRollUps(platform, tenant),
    archive,
    backupRotation: new BackupRotation(contexts, parts.services.backups),
    liftBans: async () => bans.lift(await platform.transact('jobs', (em) => claimBans(em))),
    batches: new BatchRunner(platform),
    buyerMail: new BuyerMail(contexts, mailOut, publicUrl),
    checkouts: parts.services.checkouts,
    deliveries: new DeliveryDispatch({
      find: () => platform.transact('jobs', findDeliveries),
      claim: () => platform.transact('jobs', claimAskableInstances),
      contexts,
      bus,
      log,
    }),
    findDue: (conditions) => platform.read('jobs', (queries) => findDue(queries, conditions)),
    earlyAccess: new EarlyAccessMail(platform, mailOut),
    eventRelays: new EventRelays({
      find: () => platform.read('jobs', licensesWithNews),
      clear: (news) => platform.transact('jobs', (em) => clearNews(em, news)),
      contexts,
      log,
    }),
    fileRemoval: new FileRemoval(platform, storage),
    notificationMail,
    renewModules: () =>
      renewals.renewDue((last) => platform.read('jobs', (queries) => dueSubscriptions(queries, last))),
    notifications,
    operatorAlarms: new OperatorAlarms(platform, mailOut, log),
    paymentPolling: new PaymentPolling(
      () => platform.transact('jobs', claimPolls),
      parts.services.checkouts,
      log,
    ),
    paymentWarnings: new PaymentWarnings(contexts, mailOut),
    platformCounting: new PlatformCounting(platform, log),
    playerSessions: new PlayerSessions(() => platform.transact('jobs', findDueSessions), tenant),
    pluginApplications: new PluginApplicationWork(parts),
    postman: new Postman({ platform, transactions, mailOut, mailer, publicUrl, log }),
    relay: new CommandRelay({ platform, bus, ends: commandEnds, mapLinks, log }),
    resellerBills: new ResellerBills(platform),
    resets: new PasswordResets(platform, mailOut),
    revocations,
    sandboxes: parts.services.sandboxes,
    sandboxClocks: parts.services.sandboxClocks,
    simulatedAgents: parts.services.simulatedAgents,
    schedules: new DueSchedules(
      (column, last) => platform.read('jobs', (queries) => dueSchedules(queries, column, last)),
      (ids) => platform.transact('jobs', (em) => runPlain(em, ids, dueTimes)),
      contexts,
      parts.services.schedules,
      log,
    ),
    storeSubscriptions: parts.services.storeSubscriptions,
    subscriptionProvider: new SubscriptionProvider(options.payments ?? defaultPayments),
    statsPacking: new StatsPacking(platform),
    statsRollUp: new StatsRollUp(platform),
    webhookReplays: new WebhookReplayWork({
      find: () => platform.transact('jobs', dueReplays),
      contexts,
      log,
    }),
    webhooks,
    welcomeCustomers: (ids) => platform.transact('jobs', (em) => welcomeCustomers(em, mailOut, ids)),
  };
}

function openArchive(parts: Parts, options: PlatformOptions): MonthArchive {
  const { generations, metrics, monitor, platform, storage, tenant } = parts;
  if ((options.archive?.months ?? 0) > 0 && !isDuckdbInstalled())
    options.log.error(
      'GANTRY_ARCHIVE_MONTHS is set, but @duckdb/node-api is not installed: no month is archived',
    );
  return new MonthArchive({
    settings: options.archive ?? { months: 0, directory: '' },
    database: { url: options.databaseUrl, limits: options.databaseLimits, generations },
    platform,
    tenant,
    storage,
    progressed: monitor.progressed,
    counted: (outcome) => metrics.archivedMonths.inc({ outcome }),
    waiting: (months) => metrics.archiveWaiting.set(months),
    log: options.log,
  });
}
