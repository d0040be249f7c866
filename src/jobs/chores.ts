// The chores that every replica repeats: work too frequent for the queue.
import { giveUpDeliveries, giveUpOrders } from '../services/store/deliveries/expiry.ts';
import { endLostWipes } from '../services/wipes/outcomes.ts';
import { endLostRuns, expireCommands } from './housekeeping.ts';
import type { TaskServices } from './tasks.ts';

/** Any number of replicas may run it at once. */
export interface Chore {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
  /** SQL that is true if there may be something to do; without it, the work is always begun. */
  due?: string;
}

const exists = (rows: string) => `exists (select from ${rows})`;

export function createChores(services: TaskServices) {
  return [
    { name: 'evaluate alerts', everyMs: 1_000, work: () => services.alerts.run() },
    {
      name: 'count the platform',
      everyMs: 1_000,
      work: () => services.platformCounting.run(),
      due: `(${exists('platform_count_change')} or ${exists('license_count_change')})`,
    },
    { name: 'count for analytics', everyMs: 2_000, work: () => services.analytics.run() },
    {
      name: 'send deliveries',
      everyMs: 500,
      work: () => services.deliveries.sendDue(),
      due: exists("store_delivery where status = 'waiting'"),
    },
    {
      name: 'find players of deliveries',
      everyMs: 2_000,
      work: () => services.deliveries.findPlayers(),
      due: exists("store_delivery where status = 'waiting_for_player'"),
    },
    {
      name: 'give up deliveries',
      everyMs: 10_000,
      work: () => services.batches.repeat((em) => giveUpDeliveries(em)),
    },
    { name: 'ask for payments', everyMs: 5_000, work: () => services.paymentPolling.askDue() },
    { name: 'give up orders', everyMs: 5_000, work: () => services.batches.repeat(giveUpOrders) },
    { name: 'lift bans', everyMs: 5_000, work: () => services.liftBans() },
    { name: 'derive player sessions', everyMs: 1_000, work: () => services.playerSessions.deriveDue() },
    { name: 'resume stuck commands', everyMs: 5_000, work: () => services.relay.resumeStuck() },
    { name: 'expire commands', everyMs: 10_000, work: () => services.batches.repeat(expireCommands) },
    { name: 'sweep the storage', everyMs: 60_000, work: () => services.fileRemoval.sweep() },
    {
      name: 'run due schedules',
      everyMs: 1_000,
      work: () => services.schedules.run(),
      due: exists('schedule where next_run_at <= now()'),
    },
    {
      name: 'announce runs of schedules',
      everyMs: 500,
      work: () => services.schedules.announce(),
      due: exists('schedule where next_announcement_at <= now()'),
    },
    { name: 'end lost runs of schedules', everyMs: 10_000, work: () => services.batches.repeat(endLostRuns) },
    { name: 'roll stats up', everyMs: 20_000, work: () => services.statsRollUp.run() },
    {
      name: 'pack stats',
      everyMs: 20_000,
      work: () => services.statsPacking.run(),
      due: exists('instance_stats_due where due_at <= now()'),
    },
    {
      name: 'relay events',
      everyMs: 250,
      work: () => services.eventRelays.run(),
      due: exists('event_sequence where has_news'),
    },
    {
      name: 'replay webhooks',
      everyMs: 250,
      work: () => services.webhookReplays.run(),
      due: exists("webhook_replay where status = 'running'"),
    },
    {
      name: 'begin turns of webhooks',
      everyMs: 250,
      work: () => services.webhooks.begin(),
      due: exists("webhook_delivery where status = 'pending'"),
    },
    {
      name: 'begin turns of notifications',
      everyMs: 250,
      work: () => services.notifications.begin(),
      due: exists("notification where status = 'pending'"),
    },
    {
      name: 'begin turns of mail',
      everyMs: 250,
      work: () => services.notificationMail.begin(),
      due: exists("notification where status = 'pending'"),
    },
    { name: 'watch queues', everyMs: 30_000, work: () => services.operatorAlarms.run() },
    { name: 'delete expired sandboxes', everyMs: 30_000, work: () => services.sandboxes.deleteExpired() },
    {
      name: 'follow clocks of sandboxes',
      everyMs: 1_000,
      work: () => services.sandboxClocks.follow(),
      due: exists('sandbox'),
    },
    { name: 'lease simulated hosts', everyMs: 1_000, work: () => services.simulatedAgents.refresh() },
    { name: 'mark unused sandboxes', everyMs: 60_000, work: () => services.simulatedAgents.markUnused() },
    {
      name: 'step simulated hosts',
      everyMs: 250,
      work: () => services.simulatedAgents.stepDue(),
      due: exists('simulated_host'),
    },
    { name: 'end lost wipes', everyMs: 10_000, work: () => services.batches.repeat(endLostWipes) },
  ] as const satisfies readonly Chore[];
}

export type ChoreName = ReturnType<typeof createChores>[number]['name'];

/** Intervals that differ from the usual ones. */
export interface JobIntervals {
  chores?: Partial<Record<ChoreName, number>>;
  /** How often each lane polls for due jobs. */
  pollMs?: number;
}
