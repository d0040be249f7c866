// Every type of the catalogue is recorded by the change of a row that causes it, in the form of the contract.
import { recordEvent } from '../../src/events/record.ts';
import { eventTypeNames, eventTypes, type EventType } from '../../src/platform-contract/events.ts';
import { faultyEvents } from '../support/events.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

let fleet: FleetDatabase;
beforeAll(async () => {
  fleet = await openFleetDatabase();
});
afterAll(() => fleet.close());

const id = (kind: number) => `'${String(kind).padStart(8, '0')}-0000-4000-8000-000000000000'::uuid`;
const [license, cluster, host, instance, user, role, order, line, item, config, map, module] = [
  'L',
  ...Array.from({ length: 11 }, (_, nth) => id(nth + 1)),
] as const;
const [webhook, channel, schedule, subscription, store, alert, wipe, backup] = Array.from(
  { length: 8 },
  (_, nth) => id(nth + 20),
) as [string, string, string, string, string, string, string, string];

interface Case {
  /** What the statements cause, in order. */
  types: EventType[];
  /** `L` stands for the license. */
  statements: string[];
}

const insert = (table: string, columns: string, values: string) =>
  `insert into ${table} (${columns}) values (${values})`;

/** A command that is created and has ended. */
const command = (nth: number, kind: string, status: string, types: EventType[], args = '{}'): Case => ({
  types: ['command.created', 'command.finished', ...types],
  statements: [
    insert(
      'command',
      'id, license_id, host_id, instance_id, kind, args, expires_at',
      `${id(nth)}, ${license}, ${host}, ${instance}, '${kind}', '${args}', now() + interval '1 hour'`,
    ),
    ...(nth === 112
      ? [
          insert(
            'module_installation',
            'license_id, module_id, instance_id, command_id',
            `${license}, ${module}, ${instance}, ${id(nth)}`,
          ),
        ]
      : []),
    ...(nth === 113 ? [`update module_installation set command_id = ${id(nth)}`] : []),
    ...(nth === 114 ? [`update module_installation set removal_id = ${id(nth)}`] : []),
    ...(nth === 115 || nth === 116
      ? [
          insert(
            'map_deployment',
            'license_id, map_id, instance_id, file_name, command_id',
            `${license}, ${map}, ${instance}, 'a.map', ${id(nth)}`,
          ),
        ]
      : []),
    ...(nth === 117
      ? [`update map_deployment set removal_id = ${id(nth)} where command_id = ${id(115)}`]
      : []),
    `update command set status = '${status}', finished_at = now() where id = ${id(nth)}`,
  ],
});

const plugin = '{"plugin":"Kits.cs"}';

/** A player action that has ended. */
const action = (kind: string, status: string, type: EventType): Case => ({
  types: [type],
  statements: [
    insert(
      'player_action',
      'license_id, instance_id, instance_name, kind, steam_id, text',
      `${license}, ${instance}, 'main', '${kind}', '76561197960287930', 'Cheating'`,
    ),
    `update player_action set status = '${status}', finished_at = now() where status = 'pending'`,
  ],
});

const update = (type: EventType | EventType[], statement: string): Case => ({
  types: [type].flat(),
  statements: [statement],
});

const wipeTo = (status: string, type: EventType): Case =>
  update(type, `update wipe_history set status = '${status}' where id = ${wipe}`);
const orderTo = (status: string, type: EventType, more = ''): Case =>
  update(type, `update store_order set status = '${status}'${more} where id = ${order}`);
const deliveryTo = (status: string): Case =>
  update(
    `delivery.${status}` as EventType,
    `update store_delivery set status = '${status}', next_attempt_at = null, finished_at = now()`,
  );
const subscriptionTo = (status: string, type: EventType, more = ''): Case =>
  update(type, `update subscription set status = '${status}'${more} where id = ${subscription}`);

const cases: Case[] = [
  update('license.updated', `update license set name = 'Rusty Moose' where id = ${license}`),
  update('license.key_replaced', `update license set key = 'other' where id = ${license}`),
  update('license.token_rotated', `update license set companion_token_hash = 'other' where id = ${license}`),
  update(
    'license.suspended',
    `update license set status = 'revoked', revoked_by = 'platform', revoked_at = now() where id = ${license}`,
  ),
  update(
    'license.resumed',
    `update license set status = 'active', revoked_by = null, revoked_at = null where id = ${license}`,
  ),
  update(
    'cluster.created',
    insert('instance_cluster', 'id, license_id, name', `${cluster}, ${license}, 'EU'`),
  ),
  update('cluster.updated', `update instance_cluster set name = 'US' where id = ${cluster}`),
  update(
    'host.enrolled',
    insert(
      'agent_host',
      'id, license_id, hostname, platform, agent_version, bus_public_key',
      `${host}, ${license}, 'rust-01', 'linux-x64', '1.0.0', 'key'`,
    ),
  ),
  update(
    'host.online',
    `update agent_host set status = 'online', last_heartbeat_at = now() where id = ${host}`,
  ),
  update(
    'host.enrolment_code_created',
    insert('enrolment_code', 'license_id, code_hash, expires_at', `${license}, 'hash', now()`),
  ),
  update('host.key_reset', `update agent_host set key_reset_expires_at = now() where id = ${host}`),
  update(
    'instance.created',
    insert('game_instance', 'id, license_id, host_id, name', `${instance}, ${license}, ${host}, 'main'`),
  ),
  update(
    'instance.state_changed',
    `update game_instance set state = 'running', state_at = now() where id = ${instance}`,
  ),
  update(
    'instance.crashed',
    `update game_instance set down_since = now(), crashed_at = now() where id = ${instance}`,
  ),
  update('instance.updated', `update game_instance set cluster_id = ${cluster} where id = ${instance}`),
  update(
    ['player.joined', 'player.left'],
    `insert into player_event (license_id, event_id, occurred_at, instance_id, steam_id, kind, display_name)
     select ${license}, kind, now(), ${instance}, '76561197960287930', kind, 'Fern' from unnest(array['join', 'leave']) as kind`,
  ),
  action('kick', 'succeeded', 'player.kicked'),
  action('ban', 'succeeded', 'player.banned'),
  action('unban', 'succeeded', 'player.unbanned'),
  action('message', 'succeeded', 'player.messaged'),
  action('ban', 'expired', 'player.action_failed'),
  update(
    'player.noted',
    insert(
      'player_action',
      'license_id, instance_id, instance_name, kind, steam_id, status',
      `${license}, ${instance}, 'main', 'note', '76561197960287930', 'succeeded'`,
    ),
  ),
  update(
    'wipe.planned',
    insert(
      'wipe_history',
      'id, license_id, host_id, instance_id, instance_name, kind, countdown_seconds, with_backup, with_start',
      `${wipe}, ${license}, ${host}, ${instance}, 'main', 'map', 0, false, true`,
    ),
  ),
  wipeTo('announcing', 'wipe.phase_changed'),
  update('wipe.failed', `update wipe_history set status = 'failed', finished_at = now() where id = ${wipe}`),
  wipeTo('rolled_back', 'wipe.rolled_back'),
  wipeTo('cancelled', 'wipe.cancelled'),
  wipeTo('completed', 'wipe.completed'),
  update(
    'backup.created',
    insert(
      'instance_backup',
      'instance_id, id, license_id, kind, is_partial, size, content_size, sha256, files, changed_files, left_out, created_at',
      `${instance}, ${backup}, ${license}, 'manual', false, 1, 1, 'x', 1, 0, 0, now()`,
    ),
  ),
  update('backup.updated', `update instance_backup set is_pinned = true where id = ${backup}`),
  update(
    'backup.policy_changed',
    insert('backup_policy', 'instance_id, license_id, keep', `${instance}, ${license}, 14`),
  ),
  update('backup.policy_changed', 'update backup_policy set keep = 7'),
  update('backup.deleted', `delete from instance_backup where id = ${backup}`),
  update(
    'config.created',
    insert(
      'plugin_config',
      'id, license_id, kind, name, config_data',
      `${config}, ${license}, 'kits', 'Vanilla', '{}'`,
    ),
  ),
  update('config.updated', `update plugin_config set version = 2 where id = ${config}`),
  {
    types: ['config.application_created', 'config.applied', 'config.application_failed'],
    statements: [
      insert(
        'plugin_application',
        'license_id, kind, plugin_config_id, instance_id',
        `${license}, 'kits', ${config}, ${instance}`,
      ),
      `update plugin_application set status = 'succeeded', finished_at = now()`,
      `update plugin_application set status = 'failed', error_code = 'lost'`,
    ],
  },
  update('config.deleted', `delete from plugin_config where id = ${config}`),
  {
    types: ['map.uploaded'],
    statements: [
      insert('stored_file', 'id, license_id, kind, state', `${map}, ${license}, 'maps', 'kept'`),
      insert(
        'map',
        'id, license_id, file_id, name, sha256, bytes, format_version, world_size, scan_status, scan_detail',
        `${map}, ${license}, ${map}, 'Island', repeat('a', 64), 1, 9, 3500, 'clean', ''`,
      ),
    ],
  },
  {
    types: ['module.purchased', 'bill.charged'],
    statements: [
      insert(
        'module',
        'id, slug, name, description, price, currency, features, plugin, plugin_url, plugin_sha256, plugin_bytes',
        `${module}, 'raid-alarm', 'Raid alarm', 'd', 400, 'USD', '{}', 'RaidAlarm', 'https://a.example', repeat('a', 64), 1`,
      ),
      insert(
        'module_purchase',
        'license_id, module_id, amount, currency, purchased_by',
        `${license}, ${module}, 400, 'USD', 'a'`,
      ),
    ],
  },
  command(101, 'restore_backup', 'succeeded', ['backup.restored'], '{"backup_id":"b"}'),
  command(102, 'create_backup', 'expired', ['backup.failed']),
  command(103, 'install_plugin', 'succeeded', ['plugin.installed'], plugin),
  command(104, 'uninstall_plugin', 'succeeded', ['plugin.uninstalled'], plugin),
  command(105, 'load_plugin', 'succeeded', ['plugin.loaded'], plugin),
  command(106, 'unload_plugin', 'succeeded', ['plugin.unloaded'], plugin),
  command(107, 'reload_plugin', 'succeeded', ['plugin.reloaded'], plugin),
  command(108, 'restore_plugin', 'succeeded', ['plugin.restored'], '{"copy":"Kits.1"}'),
  command(109, 'load_plugin', 'failed', ['plugin.failed'], plugin),
  command(112, 'install_module', 'succeeded', ['module.installed']),
  command(113, 'install_module', 'failed', ['module.failed']),
  command(114, 'uninstall_plugin', 'succeeded', ['plugin.uninstalled', 'module.uninstalled'], plugin),
  command(115, 'deploy_map', 'succeeded', ['map.deployed']),
  command(116, 'deploy_map', 'failed', ['map.deployment_failed']),
  command(117, 'remove_map', 'succeeded', ['map.removed']),
  update(
    'map.updated',
    `update map set name = 'Isle', public_secret = 's', version = version + 1 where id = ${map}`,
  ),
  update('map.deleted', `delete from map where id = ${map}`),
  update(
    'alert.raised',
    insert(
      'alert',
      'id, license_id, kind, severity, subject_id, subject_name, host_id, host_name, metadata',
      `${alert}, ${license}, 'low_fps', 'Warning', ${instance}, 'main', ${host}, 'rust-01', '{"fps":9.1}'`,
    ),
  ),
  update('alert.acknowledged', `update alert set acknowledged_at = now(), acknowledged_by = 'a'`),
  update('alert.recovered', `update alert set ended_at = now(), end_reason = 'recovered'`),
  update('alert.reopened', 'update alert set ended_at = null, end_reason = null'),
  update('alert.ended', `update alert set ended_at = now(), end_reason = 'turned_off'`),
  update('alert.rules_changed', insert('alert_config', 'license_id, rules', `${license}, '{}'`)),
  update('alert.rules_changed', `update alert_config set rules = '{"a":1}', version = 2`),
  {
    types: ['role.created', 'member.invited', 'member.joined'],
    statements: [
      insert('user_account', 'id, email', `${user}, 'mod@example.com'`),
      insert('role', 'id, license_id, name, permissions', `${role}, ${license}, 'Builder', '{}'`),
      insert(
        'invitation',
        'license_id, email, role_id, invited_by, token_hash, expires_at',
        `${license}, 'other@example.com', ${role}, ${user}, 'hash', now() + interval '1 day'`,
      ),
      insert('membership', 'license_id, user_id, role_id', `${license}, ${user}, ${role}`),
    ],
  },
  update('member.invitation_revoked', 'update invitation set ended_at = now()'),
  update('role.updated', `update role set version = 2 where id = ${role}`),
  {
    types: ['role.created', 'member.role_changed', 'member.removed', 'role.deleted'],
    statements: [
      insert('role', 'id, license_id, name, permissions', `${id(99)}, ${license}, 'Other', '{}'`),
      `update membership set role_id = ${id(99)}`,
      'delete from membership',
      `delete from role where id = ${id(99)}`,
    ],
  },
  update(
    'key.created',
    insert(
      'api_key',
      'license_id, identifier, secret_hash, name, permissions, created_by',
      `${license}, 'k3x', 'hash', 'CI', '{"fleet.view":true,"team.view":false}', 'a'`,
    ),
  ),
  update('key.revoked', 'update api_key set revoked_at = now()'),
  update(
    'store.updated',
    insert('store_config', 'license_id, name, currency, theme', `${license}, 'Shop', 'USD', '{}'`),
  ),
  update(
    'store.item_created',
    insert(
      'store_item',
      'id, license_id, name, position, price_minor, currency, is_enabled, delivery_commands, revoke_commands, needs_online_player, repeats_after_wipe, delivery_days',
      `${item}, ${license}, 'VIP', 0, 999, 'USD', true, '[]', '[]', false, false, 30`,
    ),
  ),
  update(
    'store.category_created',
    insert('store_category', 'license_id, name, position', `${license}, 'Ranks', 0`),
  ),
  update('store.category_updated', 'update store_category set version = 2'),
  update('store.category_deleted', 'delete from store_category'),
  update('store.item_updated', `update store_item set version = 2 where id = ${item}`),
  {
    types: ['order.created'],
    statements: [
      insert(
        'store_order',
        'id, license_id, steam_id, provider, is_test, currency, total_minor, expires_at',
        `${order}, ${license}, '76561197960287930', 'sandbox', true, 'USD', 999, now()`,
      ),
      insert(
        'store_order_line',
        'id, license_id, order_id, item_name, unit_minor, quantity, instance_ids, delivery_commands, revoke_commands, needs_online_player, repeats_after_wipe, delivery_days',
        `${line}, ${license}, ${order}, 'VIP', 999, 1, '[]', '[]', '[]', false, false, 30`,
      ),
    ],
  },
  orderTo('failed', 'order.failed'),
  orderTo('expired', 'order.expired'),
  orderTo('paid', 'order.paid', ', paid_at = now()'),
  orderTo('partially_refunded', 'order.partially_refunded', ', refunded_minor = 200'),
  orderTo('refunded', 'order.refunded', ', refunded_minor = 999'),
  orderTo('paid', 'order.refund_failed', ', refunded_minor = 0'),
  orderTo('disputed', 'order.disputed', `, dispute = 'open'`),
  orderTo('paid', 'order.dispute_closed', `, dispute = 'won'`),
  orderTo('paid', 'order.problem_found', `, problem = 'Refund it again.'`),
  update(
    'delivery.created',
    insert(
      'store_delivery',
      'license_id, order_id, line_id, instance_id, instance_name, steam_id, kind, unit, expires_at',
      `${license}, ${order}, ${line}, ${instance}, 'main', '76561197960287930', 'delivery', 1, now()`,
    ),
  ),
  ...['delivered', 'failed', 'uncertain', 'expired', 'cancelled'].map(deliveryTo),
  update('store.item_deleted', `delete from store_item where id = ${item}`),
  update(
    'store.subscription_changed',
    insert(
      'subscription',
      'id, license_id, kind, reference, status, amount, currency, period',
      `${store}, ${license}, 'webstore', 'webstore', 'active', 5, 'USD', 'month'`,
    ),
  ),
  update(
    'subscription.started',
    insert(
      'subscription',
      'id, license_id, kind, reference, status, amount, currency, period, module_id, subscribed_by, anchor_at, period_number, period_start, period_end',
      `${subscription}, ${license}, 'module', 'raid-alarm', 'trialing', 4, 'USD', 'month', ${module}, 'a', now(), 0, now(), now() + interval '3 days'`,
    ),
  ),
  subscriptionTo(
    'active',
    'subscription.renewed',
    `, period_number = 1, period_start = period_start + interval '1 day'`,
  ),
  subscriptionTo('past_due', 'subscription.past_due'),
  subscriptionTo('cancelled', 'subscription.cancelled', `, cancelled_at = now(), ends_at = now()`),
  subscriptionTo('active', 'subscription.reactivated', ', cancelled_at = null, ends_at = null'),
  subscriptionTo('expired', 'subscription.expired', ', ends_at = now()'),
  update('site.updated', insert('site_config', 'license_id', license)),
  update('site.updated', 'update site_config set version = 2'),
  update(
    'schedule.created',
    insert(
      'schedule',
      'id, license_id, instance_id, name, action, cron, time_zone, created_by',
      `${schedule}, ${license}, ${instance}, 'Nightly', '{"kind":"restart"}', '0 4 * * *', 'UTC', 'a'`,
    ),
  ),
  update('schedule.updated', `update schedule set version = 2 where id = ${schedule}`),
  update(
    'schedule.run_started',
    insert(
      'schedule_run',
      'license_id, schedule_id, due_at, status',
      `${license}, ${schedule}, now(), 'running'`,
    ),
  ),
  update('schedule.run_finished', `update schedule_run set status = 'succeeded', finished_at = now()`),
  update(
    'schedule.run_skipped',
    insert(
      'schedule_run',
      'license_id, schedule_id, due_at, status, finished_at',
      `${license}, ${schedule}, now() + interval '1 second', 'skipped', now()`,
    ),
  ),
  update('schedule.deleted', `delete from schedule where id = ${schedule}`),
  update(
    'webhook.created',
    insert(
      'webhook',
      'id, license_id, name, url, events, secret',
      `${webhook}, ${license}, 'Pager', 'https://a.example', '{*}', 'a'`,
    ),
  ),
  update('webhook.updated', `update webhook set url = 'https://b.example' where id = ${webhook}`),
  update('webhook.secret_rotated', `update webhook set secret = 'b' where id = ${webhook}`),
  update(
    'webhook.disabled',
    `update webhook set is_enabled = false, off_since = now() where id = ${webhook}`,
  ),
  update('webhook.enabled', `update webhook set is_enabled = true, off_since = null where id = ${webhook}`),
  update('webhook.deleted', `delete from webhook where id = ${webhook}`),
  update(
    'channel.created',
    insert(
      'notification_channel',
      'id, license_id, name, kind, destination, target',
      `${channel}, ${license}, 'Owner', 'ntfy', 'a', 'b'`,
    ),
  ),
  update('channel.updated', `update notification_channel set version = 2 where id = ${channel}`),
  {
    types: ['channel.failed'],
    statements: [
      insert(
        'notification',
        'license_id, channel_id, alert_id, event',
        `${license}, ${channel}, ${alert}, 'raised'`,
      ),
      `update notification set status = 'failed', next_attempt_at = null, finished_at = now()`,
    ],
  },
  update('channel.deleted', `delete from notification_channel where id = ${channel}`),
  update(
    'site.listing_updated',
    insert('site_listing', 'license_id, instance_id, is_listed', `${license}, ${instance}, true`),
  ),
  update('site.listing_updated', 'update site_listing set is_listed = false, version = 2'),
  update('instance.deleted', `delete from game_instance where id = ${instance}`),
  update('host.deleted', `delete from agent_host where id = ${host}`),
  update('cluster.deleted', `delete from instance_cluster where id = ${cluster}`),
];

/** Recorded by services, which know more than the row; their suites have the cases. */
const ofServices: EventType[] = [
  'alert.unacknowledged',
  'config.player_commands_cleared',
  'host.key_replaced',
  'host.offline',
  'migration.imported',
  'store.provider_connected',
  'store.provider_disconnected',
];

it('each change records its events and no other, with the subject of the catalogue', async () => {
  let last = 1;
  const wrong: unknown[] = [];
  for (const { types, statements } of cases) {
    for (const statement of statements)
      await fleet.database
        .query(statement.replaceAll(/\bL\b/g, `'${fleet.licenseId}'`))
        .catch((error: unknown) => {
          throw new Error(`${statement}: ${String(error)}`);
        });
    const rows = await fleet.database.query<{
      seq: string;
      type: EventType;
      subject_type: string;
      subject_id: string;
    }>(
      'select seq, type, subject_type, subject_id from event_log where license_id = $1 and seq > $2 order by seq',
      [fleet.licenseId, last],
    );
    last = Number(rows.at(-1)?.seq ?? last);
    const got = rows.map(({ type }) => type);
    if (JSON.stringify(got.toSorted()) !== JSON.stringify(types.toSorted())) wrong.push({ types, got });
    for (const row of rows)
      if (row.subject_type !== eventTypes[row.type].subject)
        wrong.push({ ...row, expected: eventTypes[row.type].subject });
  }
  expect(wrong).toEqual([]);
  expect(await faultyEvents(fleet.database)).toEqual({});
});

it('every type of the catalogue has a case', () => {
  const covered = new Set([...cases.flatMap(({ types }) => types), ...ofServices, 'license.created']);
  expect(eventTypeNames.filter((type) => !covered.has(type))).toEqual([]);
});

it('a change that changes nothing records nothing', async () => {
  const count = async () =>
    (await fleet.database.query<{ count: number }>('select count(*)::int as count from event_log'))[0]?.count;
  const before = await count();
  for (const statement of [
    'update license set name = name',
    'update role set permissions = permissions',
    'update store_order set receipt_at = now()',
    'update subscription set told_at = now()',
  ])
    await fleet.database.query(statement);
  expect(await count()).toBe(before);
});

it('services record what rows alone do not show', async () => {
  await fleet.inLicense((ctx) =>
    ctx.transact((em) =>
      recordEvent(em, 'migration.imported', { subject: ctx.licenseId, data: { parts: ['roles'] } }),
    ),
  );
  expect(await faultyEvents(fleet.database)).toEqual({});
});
