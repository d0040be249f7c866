// Retention periods of tables in days; docs/operations.md describes each, and the contract where callers see it.

/** Retention in days, counted from the end of each partition's month. */
export const keptMonths = {
  instance_stats: 30,
  instance_stats_5m: 100,
  instance_stats_hour: 800,
  player_event: 100,
  player_session: 800,
} as const;

/** Retention in days by table. Younger rows may still change, or be needed as evidence. */
export const keptDays = {
  alert: 90,
  bus_revocation: 1,
  /** Only for the output of console commands, which may contain personal data of players; the commands are kept. */
  command: 7,
  domain_event: 90,
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

export const ago = (days: number) => `now() - interval '${days} days'`;
