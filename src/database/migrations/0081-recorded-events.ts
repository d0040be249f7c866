// Events of the rows of each area, recorded by the database in the transaction of the change.
import { Migration } from '@mikro-orm/migrations';
import {
  changed,
  cut,
  differs,
  hostname,
  instanceName,
  recordEvents,
  time,
  type EventRule,
} from './helpers/events.ts';

const hasEnded = 'new.finished_at is not null and old.status is distinct from new.status';
const failure = `coalesce(new.error_code, case when new.status = 'expired' then 'expired' end)`;

export class RecordedEvents extends Migration {
  override up(): void {
    this.#recordFleet();
    this.#recordPlayers();
    this.#recordWipes();
    this.#recordPlugins();
    this.#recordAlerts();
    this.#recordAccess();
    this.#recordStore();
    this.#recordLicense();
    this.#recordSchedules();
    this.#recordReceivers();
  }

  #record(table: string, rules: readonly EventRule[]): void {
    recordEvents(this, table, rules);
  }

  #recordFleet(): void {
    const instance = 'new.id';
    const host = 'new.host_id';
    const fact = { instance, host };
    this.#record('game_instance', [
      {
        on: 'insert',
        type: 'instance.created',
        ...fact,
        data: {
          instance_name: 'new.name',
          hostname: hostname(host),
          game: 'new.game',
          managed_by: 'new.managed_by',
        },
      },
      {
        on: 'update',
        type: 'instance.state_changed',
        when: differs('state'),
        ...fact,
        at: `case when new.state = 'offline' then now() else least(coalesce(new.state_at, now()), now()) end`,
        data: { instance_name: 'new.name', from: 'old.state', to: 'new.state' },
      },
      {
        on: 'update',
        type: 'instance.crashed',
        when: 'old.down_since is null and new.down_since is not null',
        ...fact,
        at: 'least(coalesce(new.crashed_at, now()), now())',
        data: {
          instance_name: 'new.name',
          hostname: hostname(host),
          crashed_at: time('coalesce(new.crashed_at, now())'),
        },
      },
      {
        on: 'update',
        type: 'instance.updated',
        when: differs('cluster_id', 'name'),
        ...fact,
        data: {
          instance_name: 'new.name',
          changed: changed('name', 'cluster_id'),
          cluster_id: 'new.cluster_id',
        },
      },
      {
        on: 'delete',
        type: 'instance.deleted',
        instance: 'old.id',
        host: 'old.host_id',
        data: { instance_name: 'old.name', hostname: hostname('old.host_id') },
      },
    ]);
    this.#record('instance_cluster', [
      { on: 'insert', type: 'cluster.created', data: { name: 'new.name' } },
      {
        on: 'update',
        type: 'cluster.updated',
        when: differs('name', 'description'),
        data: { name: 'new.name', changed: changed('name', 'description') },
      },
      { on: 'delete', type: 'cluster.deleted', data: { name: 'old.name' } },
    ]);
    this.#record('agent_host', [
      {
        on: 'insert',
        type: 'host.enrolled',
        host: 'new.id',
        data: { hostname: 'new.hostname', platform: 'new.platform' },
      },
      {
        on: 'update',
        type: 'host.online',
        when: `old.status = 'offline' and new.status = 'online'`,
        host: 'new.id',
        data: {
          hostname: 'new.hostname',
          agent_version: 'new.agent_version',
          silent_since: time('old.last_heartbeat_at'),
        },
      },
      {
        on: 'update',
        type: 'host.key_reset',
        when: `new.key_reset_expires_at is not null and ${differs('key_reset_expires_at')}`,
        host: 'new.id',
        data: { hostname: 'new.hostname', expires_at: time('new.key_reset_expires_at') },
      },
      { on: 'delete', type: 'host.deleted', host: 'old.id', data: { hostname: 'old.hostname' } },
    ]);
    this.#recordCommands();
  }

  #recordCommands(): void {
    const name = `coalesce(new.instance_name, ${instanceName('new.instance_id')})`;
    const place = { instance: 'new.instance_id', host: 'new.host_id' };
    const ended = (verb: string) =>
      `new.finished_at is not null and ${differs('status')} and new.kind = '${verb}'`;
    const failed = (...verbs: string[]) =>
      `${hasEnded} and new.status in ('failed', 'expired') and new.kind in (${verbs.map((verb) => `'${verb}'`).join(', ')})`;
    const plugin = `coalesce(new.args ->> 'plugin', new.args ->> 'copy')`;
    const ofPlugin = { plugin, instance_name: name, requested_by: 'new.requested_by' };
    const done = (verb: string, type: string): EventRule => ({
      on: 'update',
      type,
      when: `${ended(verb)} and new.status = 'succeeded'`,
      subject: plugin,
      ...place,
      data: ofPlugin,
    });
    const backup = `coalesce(new.args ->> 'backup_id', new.id::text)`;
    const installation = (column: string) =>
      `(select id from module_installation where license_id = new.license_id and ${column} = new.id limit 1)`;
    const slug = (column: string) =>
      `(select slug from module_installation as installation join module on module.id = module_id
        where installation.license_id = new.license_id and ${column} = new.id limit 1)`;
    const ofModule = (column: string) => ({ module: slug(column), instance_name: name });
    const deployed = (value: string, column: string) =>
      `(select ${value} from map_deployment as deployment join map on map.id = map_id
        where deployment.license_id = new.license_id and deployment.${column} = new.id limit 1)`;
    this.#record('command', [
      {
        on: 'insert',
        type: 'command.created',
        ...place,
        data: {
          verb: 'new.kind',
          instance_name: name,
          requested_by: 'new.requested_by',
          expires_at: time('new.expires_at'),
        },
      },
      {
        on: 'update',
        type: 'command.finished',
        when: hasEnded,
        ...place,
        data: {
          verb: 'new.kind',
          instance_name: name,
          status: 'new.status',
          error_code: failure,
          requested_by: 'new.requested_by',
        },
      },
      {
        on: 'update',
        type: 'backup.restored',
        when: `${ended('restore_backup')} and new.status = 'succeeded'`,
        subject: backup,
        ...place,
        data: { instance_name: name, requested_by: 'new.requested_by' },
      },
      {
        on: 'update',
        type: 'backup.failed',
        when: failed('create_backup', 'restore_backup'),
        subject: backup,
        ...place,
        data: {
          verb: 'new.kind',
          instance_name: name,
          error_code: failure,
          requested_by: 'new.requested_by',
        },
      },
      done('install_plugin', 'plugin.installed'),
      done('uninstall_plugin', 'plugin.uninstalled'),
      done('load_plugin', 'plugin.loaded'),
      done('unload_plugin', 'plugin.unloaded'),
      done('reload_plugin', 'plugin.reloaded'),
      done('restore_plugin', 'plugin.restored'),
      {
        on: 'update',
        type: 'plugin.failed',
        when: failed(
          'install_plugin',
          'uninstall_plugin',
          'load_plugin',
          'unload_plugin',
          'reload_plugin',
          'restore_plugin',
        ),
        subject: plugin,
        ...place,
        data: { ...ofPlugin, verb: 'new.kind', error_code: failure },
      },
      {
        on: 'update',
        type: 'module.installed',
        subjectType: 'module_installation',
        when: `${ended('install_module')} and new.status = 'succeeded'`,
        and: `${installation('command_id')} is not null`,
        subject: installation('command_id'),
        ...place,
        data: ofModule('command_id'),
      },
      {
        on: 'update',
        type: 'module.uninstalled',
        subjectType: 'module_installation',
        when: `${ended('uninstall_plugin')} and new.status = 'succeeded'`,
        and: `${installation('removal_id')} is not null`,
        subject: installation('removal_id'),
        ...place,
        data: ofModule('removal_id'),
      },
      {
        on: 'update',
        type: 'module.failed',
        subjectType: 'module_installation',
        when: failed('install_module'),
        and: `${installation('command_id')} is not null`,
        subject: installation('command_id'),
        ...place,
        data: { ...ofModule('command_id'), error_code: failure },
      },
      {
        on: 'update',
        type: 'map.deployed',
        when: `${ended('deploy_map')} and new.status = 'succeeded'`,
        and: `${deployed('map.id', 'command_id')} is not null`,
        subject: deployed('map.id', 'command_id'),
        ...place,
        data: { name: deployed('map.name', 'command_id'), instance_name: name },
      },
      {
        on: 'update',
        type: 'map.removed',
        when: `${ended('remove_map')} and new.status = 'succeeded'`,
        and: `${deployed('map.id', 'removal_id')} is not null`,
        subject: deployed('map.id', 'removal_id'),
        ...place,
        data: { name: deployed('map.name', 'removal_id'), instance_name: name },
      },
      {
        on: 'update',
        type: 'map.deployment_failed',
        when: failed('deploy_map'),
        and: `${deployed('map.id', 'command_id')} is not null`,
        subject: deployed('map.id', 'command_id'),
        ...place,
        data: { name: deployed('map.name', 'command_id'), instance_name: name, error_code: failure },
      },
    ]);
  }

  #recordPlayers(): void {
    const place = { instance: 'new.instance_id' };
    const seen = (kind: string, type: string): EventRule => ({
      on: 'insert',
      type,
      when: `new.kind = '${kind}'`,
      subject: 'new.steam_id',
      ...place,
      at: 'new.occurred_at',
      data: {
        steam_id: 'new.steam_id',
        name: 'new.display_name',
        instance_name: instanceName('new.instance_id'),
      },
    });
    this.#record('player_event', [seen('join', 'player.joined'), seen('leave', 'player.left')]);
    const own = { action_id: 'new.id', steam_id: 'new.steam_id', instance_name: 'new.instance_name' };
    const done = (kind: string, type: string, data: Record<string, string>): EventRule => ({
      on: 'update',
      type,
      when: `${differs('status')} and new.status = 'succeeded' and new.kind = '${kind}'`,
      subject: 'new.steam_id',
      ...place,
      data: { ...own, ...data, requested_by: 'new.requested_by' },
    });
    const reason = { reason: cut('new.text') };
    this.#record('player_action', [
      done('kick', 'player.kicked', reason),
      done('ban', 'player.banned', { ...reason, until: time('new.until') }),
      done('unban', 'player.unbanned', {}),
      done('message', 'player.messaged', { message: cut('new.text') }),
      {
        on: 'update',
        type: 'player.action_failed',
        when: `${differs('status')} and new.status in ('failed', 'expired')`,
        subject: 'new.steam_id',
        ...place,
        data: { ...own, kind: 'new.kind', error_code: failure, requested_by: 'new.requested_by' },
      },
    ]);
  }

  #recordWipes(): void {
    const place = { instance: 'new.instance_id', host: 'new.host_id' };
    const plan = {
      instance_name: 'new.instance_name',
      kind: 'new.kind',
      seed: 'new.seed',
      world_size: 'new.world_size',
      map_id: 'new.map_id',
      requested_by: 'new.requested_by',
    };
    const over = (status: string): EventRule => ({
      on: 'update',
      type: `wipe.${status}`,
      when: `${differs('status')} and new.status = '${status}'`,
      ...place,
      data: {
        instance_name: 'new.instance_name',
        kind: 'new.kind',
        error_code: 'new.error_code',
        detail: cut('new.detail'),
      },
    });
    this.#record('wipe_history', [
      {
        on: 'insert',
        type: 'wipe.planned',
        ...place,
        data: { ...plan, countdown_seconds: 'new.countdown_seconds' },
      },
      {
        on: 'update',
        type: 'wipe.phase_changed',
        when: `${differs('status')} and new.status not in ('completed', 'failed', 'rolled_back', 'cancelled')`,
        ...place,
        data: {
          instance_name: 'new.instance_name',
          from: 'old.status',
          to: 'new.status',
          due_at: time('new.due_at'),
        },
      },
      {
        on: 'update',
        type: 'wipe.completed',
        when: `${differs('status')} and new.status = 'completed'`,
        ...place,
        data: { wipe_id: 'new.id', instance_id: 'new.instance_id', ...plan },
      },
      over('failed'),
      over('rolled_back'),
      over('cancelled'),
    ]);
    const backup = (row: 'new' | 'old') => ({
      instance_name: instanceName(`${row}.instance_id`),
      kind: `${row}.kind`,
      size: `${row}.size`,
      is_partial: `${row}.is_partial`,
    });
    this.#record('instance_backup', [
      {
        on: 'insert',
        type: 'backup.created',
        // The first report of a host also has backups that its agent made long ago.
        when: `new.created_at > now() - interval '1 hour'`,
        instance: 'new.instance_id',
        data: backup('new'),
      },
      {
        on: 'delete',
        type: 'backup.deleted',
        // Not with its instance: the files stay on the host.
        and: `${instanceName('old.instance_id')} is not null`,
        instance: 'old.instance_id',
        data: backup('old'),
      },
    ]);
  }

  #recordPlugins(): void {
    const config = (row: 'new' | 'old') => ({
      kind: `${row}.kind`,
      name: `${row}.name`,
      version: `${row}.version`,
    });
    this.#record('plugin_config', [
      { on: 'insert', type: 'config.created', data: config('new') },
      { on: 'update', type: 'config.updated', when: differs('version'), data: config('new') },
      { on: 'delete', type: 'config.deleted', data: config('old') },
    ]);
    const application = {
      config_id: 'new.plugin_config_id',
      kind: 'new.kind',
      instance_name: instanceName('new.instance_id'),
      requested_by: 'new.requested_by',
    };
    this.#record('plugin_application', [
      {
        on: 'update',
        type: 'config.applied',
        subjectType: 'plugin_application',
        when: `${differs('status')} and new.status = 'succeeded'`,
        instance: 'new.instance_id',
        data: application,
      },
      {
        on: 'update',
        type: 'config.application_failed',
        subjectType: 'plugin_application',
        when: `${differs('status')} and new.status = 'failed'`,
        instance: 'new.instance_id',
        data: { ...application, error_code: 'new.error_code' },
      },
    ]);
  }

  #recordAlerts(): void {
    const place = { instance: 'new.instance_id', host: 'new.host_id' };
    const alert = {
      kind: 'new.kind',
      severity: 'new.severity',
      subject_name: 'new.subject_name',
      hostname: 'new.host_name',
      metadata: 'new.metadata',
    };
    const isEnding = 'old.ended_at is null and new.ended_at is not null';
    this.#record('alert', [
      { on: 'insert', type: 'alert.raised', ...place, data: alert },
      {
        on: 'update',
        type: 'alert.reopened',
        when: 'old.ended_at is not null and new.ended_at is null',
        ...place,
        data: alert,
      },
      {
        on: 'update',
        type: 'alert.recovered',
        when: `${isEnding} and new.end_reason = 'recovered'`,
        ...place,
        data: alert,
      },
      {
        on: 'update',
        type: 'alert.ended',
        when: `${isEnding} and new.end_reason <> 'recovered'`,
        ...place,
        data: { ...alert, reason: 'new.end_reason' },
      },
      {
        on: 'update',
        type: 'alert.acknowledged',
        when: 'old.acknowledged_at is null and new.acknowledged_at is not null',
        ...place,
        data: {
          kind: 'new.kind',
          severity: 'new.severity',
          subject_name: 'new.subject_name',
          acknowledged_by: 'new.acknowledged_by',
        },
      },
    ]);
    const rules = { subject: 'new.license_id', subjectType: 'license', data: { version: 'new.version' } };
    this.#record('alert_config', [
      { on: 'insert', type: 'alert.rules_changed', ...rules },
      { on: 'update', type: 'alert.rules_changed', when: differs('rules'), ...rules },
    ]);
  }

  #recordAccess(): void {
    const email = (row: 'new' | 'old') => `(select email from user_account where id = ${row}.user_id)`;
    const role = (id: string) => `(select name from role where id = ${id})`;
    this.#record('membership', [
      {
        on: 'insert',
        type: 'member.joined',
        data: { email: email('new'), role: role('new.role_id') },
      },
      {
        on: 'update',
        type: 'member.role_changed',
        when: differs('role_id'),
        data: { email: email('new'), role: role('new.role_id'), former_role: role('old.role_id') },
      },
      {
        on: 'delete',
        type: 'member.removed',
        data: { email: email('old'), role: role('old.role_id') },
      },
    ]);
    const invited = { email: 'new.email', role: role('new.role_id'), expires_at: time('new.expires_at') };
    this.#record('invitation', [
      { on: 'insert', type: 'member.invited', subjectType: 'invitation', data: invited },
      {
        on: 'update',
        type: 'member.invitation_revoked',
        subjectType: 'invitation',
        when: 'old.ended_at is null and new.ended_at is not null and new.expires_at > now()',
        // An accepted invitation has made a member.
        and: `not exists (select from membership join user_account on user_account.id = user_id
          where membership.license_id = new.license_id and email = new.email)`,
        data: { email: 'new.email', role: role('new.role_id') },
      },
    ]);
    const named = (row: 'new' | 'old') => ({ name: `${row}.name`, version: `${row}.version` });
    this.#record('role', [
      { on: 'insert', type: 'role.created', when: 'not new.is_system', data: named('new') },
      { on: 'update', type: 'role.updated', when: differs('version'), data: named('new') },
      { on: 'delete', type: 'role.deleted', data: named('old') },
    ]);
    const key = { identifier: 'new.identifier', name: 'new.name' };
    this.#record('api_key', [
      {
        on: 'insert',
        type: 'key.created',
        data: {
          ...key,
          permissions: `(select coalesce(jsonb_agg(key order by key), '[]') from jsonb_each(new.permissions) where value = 'true')`,
          expires_at: time('new.expires_at'),
        },
      },
      {
        on: 'update',
        type: 'key.revoked',
        when: 'old.revoked_at is null and new.revoked_at is not null',
        data: key,
      },
    ]);
  }

  #recordStore(): void {
    const money = (
      minor: string,
      currency: string,
    ) => `jsonb_build_object('currency', ${currency}, 'amount', case
      when ${currency} in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF')
        then ${minor}::text
      when ${currency} in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then (${minor} / 1000::numeric)::numeric(30, 3)::text
      else (${minor} / 100::numeric)::numeric(30, 2)::text end)`;
    const order = {
      steam_id: 'new.steam_id',
      total: money('new.total_minor', 'new.currency'),
      provider: 'new.provider',
      is_test: 'new.is_test',
    };
    const payment = {
      steam_id: 'new.steam_id',
      status: 'new.status',
      former_status: 'old.status',
      total: money('new.total_minor', 'new.currency'),
      refunded: money('new.refunded_minor', 'new.currency'),
    };
    const moved = (type: string, when: string): EventRule => ({
      on: 'update',
      type,
      when,
      data: payment,
    });
    const to = (status: string) => `${differs('status')} and new.status = '${status}'`;
    this.#record('store_order', [
      { on: 'insert', type: 'order.created', data: order },
      moved('order.paid', 'old.paid_at is null and new.paid_at is not null'),
      moved('order.failed', to('failed')),
      moved('order.expired', to('expired')),
      moved('order.refunded', `${to('refunded')}`),
      moved(
        'order.partially_refunded',
        `new.status = 'partially_refunded' and new.refunded_minor > old.refunded_minor`,
      ),
      moved('order.refund_failed', 'new.refunded_minor < old.refunded_minor'),
      moved('order.disputed', `old.dispute is distinct from 'open' and new.dispute = 'open'`),
      moved('order.dispute_closed', `old.dispute = 'open' and new.dispute in ('won', 'lost')`),
      {
        on: 'update',
        type: 'order.problem_found',
        when: `new.problem is not null and ${differs('problem')}`,
        data: { status: 'new.status', problem: cut('new.problem') },
      },
    ]);
    const delivery = {
      order_id: 'new.order_id',
      item_name: '(select item_name from store_order_line where id = new.line_id)',
      kind: 'new.kind',
      steam_id: 'new.steam_id',
      instance_name: 'new.instance_name',
    };
    const outcome = (status: string): EventRule => ({
      on: 'update',
      type: `delivery.${status}`,
      when: to(status),
      instance: 'new.instance_id',
      data: { ...delivery, attempt_count: 'new.attempt_count', error_code: 'new.error_code' },
    });
    this.#record('store_delivery', [
      { on: 'insert', type: 'delivery.created', instance: 'new.instance_id', data: delivery },
      ...['delivered', 'failed', 'uncertain', 'expired', 'cancelled'].map(outcome),
    ]);
    const store = { subjectType: 'store', subject: 'new.license_id' };
    this.#record('store_config', [
      {
        on: 'insert',
        type: 'store.updated',
        ...store,
        data: { version: 'new.version', is_enabled: 'new.is_enabled' },
      },
      {
        on: 'update',
        type: 'store.updated',
        when: differs('version', 'is_enabled'),
        ...store,
        data: { version: 'new.version', is_enabled: 'new.is_enabled' },
      },
    ]);
    const item = (row: 'new' | 'old') => ({ name: `${row}.name`, is_enabled: `${row}.is_enabled` });
    const subjectType = 'store_item';
    this.#record('store_item', [
      { on: 'insert', type: 'store.item_created', subjectType, data: item('new') },
      {
        on: 'update',
        type: 'store.item_updated',
        subjectType,
        when: differs('version'),
        data: item('new'),
      },
      { on: 'delete', type: 'store.item_deleted', subjectType, data: item('old') },
    ]);
  }

  #recordLicense(): void {
    const own = { license: 'new.id' };
    this.#record('license', [
      {
        on: 'insert',
        type: 'license.created',
        ...own,
        data: { name: 'new.name', subdomain: 'new.subdomain' },
      },
      {
        on: 'update',
        type: 'license.updated',
        when: differs('name', 'subdomain'),
        ...own,
        data: { name: 'new.name', subdomain: 'new.subdomain', changed: changed('name', 'subdomain') },
      },
      {
        on: 'update',
        type: 'license.key_replaced',
        when: differs('key'),
        ...own,
        data: { name: 'new.name' },
      },
      {
        on: 'update',
        type: 'license.token_rotated',
        when: differs('companion_token_hash'),
        ...own,
        data: {
          name: 'new.name',
          former_token_expires_at: time('new.former_companion_token_expires_at'),
        },
      },
      {
        on: 'update',
        type: 'license.suspended',
        when: `old.status = 'active' and new.status = 'revoked'`,
        ...own,
        data: { name: 'new.name', by: 'new.revoked_by' },
      },
      {
        on: 'update',
        type: 'license.resumed',
        when: `old.status = 'revoked' and new.status = 'active'`,
        ...own,
        data: { name: 'new.name' },
      },
    ]);
    const slug = '(select slug from module where id = new.module_id)';
    const amount = `jsonb_build_object('amount', (new.amount / 100::numeric)::numeric(30, 2)::text, 'currency', new.currency)`;
    this.#record('module_purchase', [
      {
        on: 'insert',
        type: 'module.purchased',
        subjectType: 'module_purchase',
        when: 'new.subscription_id is null',
        data: { module: slug, amount },
      },
      {
        on: 'insert',
        type: 'bill.charged',
        subjectType: 'module_purchase',
        when: 'new.amount > 0',
        data: {
          module: slug,
          amount,
          period_start: time('new.period_start'),
          period_end: time('new.period_end'),
        },
      },
    ]);
    const module = `new.kind = 'module'`;
    const subscription = { module: 'new.reference', status: 'new.status', ends_at: time('new.ends_at') };
    const becomes = (type: string, when: string): EventRule => ({
      on: 'update',
      type,
      when: `${module} and ${when}`,
      data: subscription,
    });
    const isNew = (status: string) => `${differs('status')} and new.status = '${status}'`;
    const store = {
      subjectType: 'subscription',
      data: { status: 'new.status', ends_at: time('new.ends_at') },
    };
    this.#record('subscription', [
      { on: 'insert', type: 'subscription.started', when: module, data: subscription },
      becomes('subscription.renewed', `new.status = 'active' and ${differs('period_start')}`),
      becomes('subscription.past_due', isNew('past_due')),
      becomes('subscription.cancelled', isNew('cancelled')),
      becomes('subscription.expired', isNew('expired')),
      becomes(
        'subscription.reactivated',
        `old.status in ('cancelled', 'expired') and new.status in ('active', 'trialing')`,
      ),
      { on: 'insert', type: 'store.subscription_changed', when: `new.kind = 'webstore'`, ...store },
      {
        on: 'update',
        type: 'store.subscription_changed',
        when: `new.kind = 'webstore' and (${differs('status', 'ends_at')})`,
        ...store,
      },
    ]);
    const site = { subjectType: 'license', subject: 'new.license_id', data: { version: 'new.version' } };
    this.#record('site_config', [
      { on: 'insert', type: 'site.updated', ...site },
      { on: 'update', type: 'site.updated', when: differs('version'), ...site },
    ]);
    const mapOf = (row: 'new' | 'old') => ({ name: `${row}.name` });
    this.#record('map', [
      {
        on: 'insert',
        type: 'map.uploaded',
        data: { ...mapOf('new'), size: 'new.bytes', requested_by: 'new.uploaded_by' },
      },
      { on: 'delete', type: 'map.deleted', data: mapOf('old') },
    ]);
  }

  #recordSchedules(): void {
    const schedule = (row: 'new' | 'old') => ({
      name: `${row}.name`,
      action: `${row}.action ->> 'kind'`,
      instance_name: instanceName(`${row}.instance_id`),
    });
    this.#record('schedule', [
      { on: 'insert', type: 'schedule.created', instance: 'new.instance_id', data: schedule('new') },
      {
        on: 'update',
        type: 'schedule.updated',
        when: differs('version'),
        instance: 'new.instance_id',
        data: schedule('new'),
      },
      { on: 'delete', type: 'schedule.deleted', instance: 'old.instance_id', data: schedule('old') },
    ]);
    const of = (column: string) => `(select ${column} from schedule where id = new.schedule_id)`;
    const run = (type: string, on: 'insert' | 'update', when: string): EventRule => ({
      on,
      type,
      subjectType: 'schedule',
      subject: 'new.schedule_id',
      when,
      instance: of('instance_id'),
      data: {
        run_id: 'new.id',
        name: of('name'),
        status: 'new.status',
        due_at: time('new.due_at'),
        error_code: 'new.error_code',
      },
    });
    this.#record('schedule_run', [
      run('schedule.run_started', 'insert', `new.status = 'running'`),
      run('schedule.run_skipped', 'insert', `new.status = 'skipped'`),
      run('schedule.run_finished', 'insert', `new.status not in ('running', 'skipped')`),
      run('schedule.run_finished', 'update', `${differs('status')} and new.status <> 'running'`),
    ]);
  }

  #recordReceivers(): void {
    const name = (row: 'new' | 'old') => ({ name: `${row}.name` });
    this.#record('webhook', [
      { on: 'insert', type: 'webhook.created', data: name('new') },
      {
        on: 'update',
        type: 'webhook.updated',
        when: differs('name', 'url', 'events'),
        data: { ...name('new'), changed: changed('name', 'url', 'events') },
      },
      {
        on: 'update',
        type: 'webhook.disabled',
        when: 'old.is_enabled and not new.is_enabled',
        data: { ...name('new'), reason: cut('new.disabled_reason') },
      },
      {
        on: 'update',
        type: 'webhook.enabled',
        when: 'new.is_enabled and not old.is_enabled',
        data: name('new'),
      },
      { on: 'update', type: 'webhook.secret_rotated', when: differs('secret'), data: name('new') },
      { on: 'delete', type: 'webhook.deleted', data: name('old') },
    ]);
    const channel = (row: 'new' | 'old') => ({ name: `${row}.name`, kind: `${row}.kind` });
    this.#record('notification_channel', [
      { on: 'insert', type: 'channel.created', data: channel('new') },
      { on: 'update', type: 'channel.updated', when: differs('version'), data: channel('new') },
      { on: 'delete', type: 'channel.deleted', data: channel('old') },
    ]);
    this.#record('notification', [
      {
        on: 'update',
        type: 'channel.failed',
        when: `${differs('status')} and new.status = 'failed' and new.event <> 'test'`,
        subject: 'new.channel_id',
        data: {
          name: '(select name from notification_channel where id = new.channel_id)',
          kind: '(select kind from notification_channel where id = new.channel_id)',
          detail: cut('new.detail'),
        },
      },
    ]);
  }
}
