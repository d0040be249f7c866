// The role `jobs`: does what was enqueued, and what is due.
import { startJobs } from '../jobs/runner.ts';
import { StatsRollUp } from '../jobs/stats-roll-up.ts';
import { createMailer } from '../mail/mailer.ts';
import type { PlatformOptions } from '../platform.ts';
import { AnalyticsRollUps } from '../services/analytics/roll-ups.ts';
import { PasswordResets } from '../services/auth/password-changes.ts';
import { BackupRotation } from '../services/backups/rotation.ts';
import { CommandRelay } from '../services/command-relay.ts';
import { EarlyAccessMail } from '../services/early-access.ts';
import { Postman } from '../services/mail.ts';
import { BanLifting } from '../services/players/ban-lifting.ts';
import { DueSchedules } from '../services/schedules/due-schedules.ts';
import { PluginApplicationPreparation } from '../services/plugin-applications/preparation.ts';
import { PlayerSessions } from '../services/plugin-events/player-sessions.ts';
import { FileRemoval } from '../services/stored-files.ts';
import { WebhookDispatch } from '../services/webhooks/dispatch.ts';
import type { Closers, Parts } from './parts.ts';

export async function runJobs(parts: Parts, options: PlatformOptions, closers: Closers): Promise<void> {
  const { bus, commandEnds, contexts, mailOut, mapLinks, platform, publicUrl, revocations, storage } = parts;
  const { databaseUrl, log } = options;
  const { tenant, transactions } = parts;
  const mailer = createMailer(options.mail, log);
  closers.push(async () => mailer.close());
  const webhooks = new WebhookDispatch({ ...parts, secrets: parts.webhookSecrets, log });
  closers.push(() => webhooks.stop());
  await revocations
    .publish()
    .catch((error: unknown) => log.warn({ err: error }, 'revocations could not be published'));
  closers.push(
    await startJobs({
      databaseUrl,
      services: {
        analytics: new AnalyticsRollUps(platform, tenant),
        backupRotation: new BackupRotation(contexts),
        banLifting: new BanLifting(platform, tenant),
        earlyAccess: new EarlyAccessMail(platform, mailOut),
        fileRemoval: new FileRemoval(platform, storage),
        platform,
        playerSessions: new PlayerSessions(platform, tenant),
        pluginApplications: new PluginApplicationPreparation(parts),
        postman: new Postman({ platform, transactions, mailOut, mailer, publicUrl, log }),
        relay: new CommandRelay({ platform, bus, ends: commandEnds, mapLinks, log }),
        resets: new PasswordResets(platform, mailOut),
        revocations,
        schedules: new DueSchedules(platform, contexts, log),
        statsRollUp: new StatsRollUp(platform),
        webhooks,
      },
      transactions,
      log,
    }),
  );
}
