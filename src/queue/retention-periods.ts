// For how many days is kept what grows old; docs/operations.md tells of each, and the contract where callers meet it.

/** By table, of partitions of a month from its end on. */
export const keptMonths = {
  instance_stats: 30,
  instance_stats_5m: 100,
  instance_stats_hour: 800,
  player_event: 100,
  player_session: 800,
} as const;

/** By table. What is younger may change still, or is answered for. */
export const keptDays = {
  alert: 90,
  bus_revocation: 1,
  /** Of the output of console commands, which may tell of players; commands themselves stay. */
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
  /** Of the addresses that buyers left, from the order on; `unpaidAddressDays` where it was never paid. */
  store_order: 180,
  store_payment_event: 30,
  webhook_delivery: 30,
  wipe_player: 30,
} as const;

/** For as long as a provider repeats what it could not deliver, with some days to spare. */
export const unpaidAddressDays = 7;

export const ago = (days: number) => `now() - interval '${days} days'`;
