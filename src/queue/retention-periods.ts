// Retention periods of tables in days; docs/operations.md describes each, and the contract where callers see it.
// jobs/housekeeping.ts and jobs/retention.ts delete by them.

/** Retention in days, counted from the end of each partition's month. */
export const keptDaysOfPartitions = {
  instance_stats: 30,
  instance_stats_5m: 100,
  instance_stats_hour: 800,
  instance_stats_packed: 30,
  player_event: 100,
  player_session: 800,
} as const;

/** Retention in days of tables that are partitioned by day. */
export const keptDaysOfDayPartitions = { event_log: 90 } as const;

/** Retention in days by table. Younger rows may still change, or be needed as evidence. */
export const keptDays = {
  alert: 90,
  api_key_deprecated_use: 400,
  bus_revocation: 1,
  /** Only for the output of console commands, which may contain personal data of players; the commands are kept. */
  command: 7,
  enrolment_code: 1,
  former_subdomain: 90,
  instance_run: 400,
  instance_state_interval: 400,
  invitation: 30,
  map_day: 120,
  notification: 30,
  played_map: 730,
  player: 800,
  player_day: 800,
  player_day_count: 400,
  player_return: 400,
  plugin_application: 90,
  schedule_run: 90,
  sent_mail: 7,
  session_day: 400,
  session_quarter: 400,
  store_account: 180,
  /** Only buyers' addresses are deleted, counted from the order; those of unpaid orders after `unpaidAddressDays`. */
  store_order: 180,
  store_payment_event: 30,
  webhook_delivery: 30,
  wipe_player: 30,
} as const;

/** As long as a provider retries its callbacks, plus a few days. */
export const unpaidAddressDays = 7;

/** Days after which player sessions no longer change: events arrive at most a week late. */
export const settledSessionDays = 30;

/** Days after which an application of a plugin configuration without an outcome counts as lost. */
export const lostApplicationDays = 2;

/** How long the reply to a request with an `Idempotency-Key` is stored. */
export const idempotencyHours = 24;

export const ago = (days: number) => `now() - interval '${days} days'`;
