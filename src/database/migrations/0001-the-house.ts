// Users, licenses, the fleet and its commands; the tenant role and the policies that keep licenses apart.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

const tenantTables = [
  'role',
  'membership',
  'agent_host',
  'instance_cluster',
  'game_instance',
  'instance_stats',
  'server_connection',
  'command',
  'console_ticket',
];

export class TheHouse extends Migration {
  override up(): void {
    this.addSql(
      `do $$ begin create role gantry_tenant nologin; exception when duplicate_object or unique_violation then null; end $$`,
    );
    this.addSql('grant gantry_tenant to current_user');
    this.addSql('grant usage on schema public to gantry_tenant');

    this.addSql(`
      create table user_account (
        id uuid primary key default uuidv7(),
        email text not null unique check (email = lower(email)),
        password_hash text,
        is_super_admin boolean not null default false,
        is_disabled boolean not null default false,
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql(`create table setup_token (token_hash text primary key, expires_at timestamptz(3) not null)`);
    this.addSql(`
      create table license (
        id uuid primary key default uuidv7(),
        key text not null unique,
        name text not null,
        subdomain text not null unique,
        status text not null default 'active' check (status in ('active', 'revoked')),
        companion_token_hash text not null unique,
        owner_email text,
        created_at timestamptz(3) not null default now(),
        revoked_at timestamptz(3)
      )`);
    this.addSql(`
      create table user_session (
        id uuid primary key default uuidv7(),
        user_id uuid not null references user_account on delete cascade,
        working_license_id uuid references license on delete set null,
        created_at timestamptz(3) not null default now(),
        last_used_at timestamptz(3) not null default now(),
        ended_at timestamptz(3)
      )`);
    this.addSql('create index on user_session (user_id)');
    this.addSql(`
      create table refresh_token (
        token_hash text primary key,
        session_id uuid not null references user_session on delete cascade,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        used_at timestamptz(3)
      )`);
    this.addSql('create index on refresh_token (session_id)');

    this.addSql(`
      create table role (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        name text not null,
        is_system boolean not null default false,
        permissions jsonb not null,
        created_at timestamptz(3) not null default now(),
        unique (license_id, name),
        unique (license_id, id)
      )`);
    this.addSql(`
      create table membership (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        user_id uuid not null references user_account on delete cascade,
        role_id uuid not null,
        created_at timestamptz(3) not null default now(),
        unique (license_id, user_id),
        foreign key (license_id, role_id) references role (license_id, id)
      )`);
    this.addSql('create index on membership (user_id)');

    this.addSql(`
      create table agent_host (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        hostname text not null,
        platform text not null,
        agent_version text not null,
        status text not null default 'offline' check (status in ('online', 'offline')),
        bus_public_key text not null unique,
        boot_id uuid,
        boot_since timestamptz(3),
        is_boot_over boolean not null default false,
        heartbeat_seq bigint,
        cpu_percent double precision,
        memory_used_bytes bigint,
        memory_total_bytes bigint,
        disk_used_bytes bigint,
        disk_total_bytes bigint,
        last_heartbeat_at timestamptz(3),
        relay_until timestamptz(3),
        created_at timestamptz(3) not null default now(),
        unique (license_id, hostname),
        unique (license_id, id)
      )`);
    this.addSql(`create index on agent_host (last_heartbeat_at) where status = 'online'`);
    this.addSql(`
      create table instance_cluster (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        name text not null,
        description text,
        created_at timestamptz(3) not null default now(),
        unique (license_id, name),
        unique (license_id, id)
      )`);
    this.addSql(`
      create table game_instance (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        host_id uuid not null,
        cluster_id uuid,
        name text not null,
        game text,
        state text not null default 'offline'
          check (state in ('offline', 'stopped', 'starting', 'running', 'stopping', 'crashed')),
        state_at timestamptz(3),
        state_boot_id uuid,
        state_seq bigint,
        uptime_seconds bigint not null default 0,
        players integer,
        max_players integer,
        fps double precision,
        entities integer,
        map text,
        cpu_percent double precision,
        memory_bytes bigint,
        last_seen_at timestamptz(3) not null default now(),
        created_at timestamptz(3) not null default now(),
        unique (host_id, name),
        unique (license_id, id),
        foreign key (license_id, host_id) references agent_host (license_id, id) on delete cascade,
        foreign key (license_id, cluster_id) references instance_cluster (license_id, id) on delete set null (cluster_id)
      ) with (fillfactor = 70)`);
    this.addSql('create index on game_instance (license_id, cluster_id) where cluster_id is not null');
    this.addSql(`
      create table instance_stats (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        recorded_at timestamptz(3) not null,
        state text not null,
        uptime_seconds bigint not null,
        players integer,
        max_players integer,
        fps double precision,
        entities integer,
        map text,
        cpu_percent double precision,
        memory_bytes bigint,
        primary key (license_id, instance_id, recorded_at)
      ) partition by range (recorded_at)`);
    this.addSql(`
      create table server_connection (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        hostname text not null,
        server_name text not null,
        is_connected boolean not null,
        agent_version text not null,
        last_heartbeat_at timestamptz(3) not null,
        primary key (license_id, instance_id),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      ) with (fillfactor = 70)`);
    this.addSql(`
      create table command (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        host_id uuid not null,
        instance_id uuid not null,
        kind text not null,
        args jsonb not null default '{}',
        status text not null default 'queued'
          check (status in ('queued', 'sent', 'acknowledged', 'succeeded', 'failed', 'expired')),
        detail text,
        error_code text,
        requested_by text,
        created_at timestamptz(3) not null default now(),
        sent_at timestamptz(3),
        acknowledged_at timestamptz(3),
        finished_at timestamptz(3),
        expires_at timestamptz(3) not null,
        foreign key (license_id, host_id) references agent_host (license_id, id) on delete cascade,
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql('create index on command (license_id, id desc)');
    this.addSql('create index on command (license_id, instance_id, id desc)');
    this.addSql(`create index on command (host_id, id) where status in ('queued', 'sent')`);
    this.addSql(`create index on command (expires_at) where status in ('queued', 'sent', 'acknowledged')`);
    this.addSql(`
      create table console_ticket (
        token_hash text primary key,
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        instance_id uuid not null,
        session_id uuid not null references user_session on delete cascade,
        expires_at timestamptz(3) not null,
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql(`
      create table idempotency_record (
        key_hash text primary key,
        request_hash text not null,
        sealed_answer bytea not null,
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql('create index on idempotency_record (created_at)');
    this.addSql(`
      create table job_worker (
        worker_id text primary key,
        process integer not null,
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql(
      `create table bus_revocation (public_key text primary key, caused_by uuid, revoked_at timestamptz(3) not null default now())`,
    );

    keepLicensesApart(this, 'license', { ownedBy: 'id', rights: 'select' });
    for (const table of tenantTables) keepLicensesApart(this, table);

    this.addSql(`
      create function create_month_partitions(parent text, first_month date, months integer) returns void
      language plpgsql set timezone = 'UTC' as $$
      declare
        starts date := date_trunc('month', first_month);
      begin
        for i in 1..months loop
          if to_regclass(format('%I', parent || to_char(starts, '_YYYY_MM'))) is null then
            execute format('create table %I partition of %I for values from (%L) to (%L)',
              parent || to_char(starts, '_YYYY_MM'), parent, starts, starts + interval '1 month');
            execute format('alter table %I enable row level security', parent || to_char(starts, '_YYYY_MM'));
          end if;
          starts := starts + interval '1 month';
        end loop;
      end $$`);
    this.addSql(`
      create function enqueue_job(task text, payload json, key text default null, run_at timestamptz default null)
        returns void
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        perform graphile_worker.add_job(task, payload, job_key => key, run_at => run_at);
      end $$`);
    this.addSql(`
      create function revoke_bus_keys(license uuid, keys text[]) returns void
      language sql security definer set search_path = pg_catalog, public as $$
        insert into bus_revocation (public_key, caused_by) select unnest(keys), license
        on conflict (public_key) do update set revoked_at = now()
      $$`);
    this.addSql(`
      create function recent_key_revocations(license uuid) returns integer
      language sql security definer set search_path = pg_catalog, public as $$
        select count(*)::integer from bus_revocation
        where caused_by = license and revoked_at > now() - interval '15 minutes'
      $$`);
    this.addSql(`
      create function license_status_held(id uuid) returns text
      language sql security definer set search_path = pg_catalog, public as $$
        select status from license where license.id = license_status_held.id for share
      $$`);
    for (const signature of [
      'revoke_bus_keys(uuid, text[])',
      'recent_key_revocations(uuid)',
      'license_status_held(uuid)',
    ]) {
      this.addSql(`revoke execute on function ${signature} from public`);
      this.addSql(`grant execute on function ${signature} to gantry_tenant`);
    }
    this.addSql('revoke execute on function enqueue_job from public');
    this.addSql('grant execute on function enqueue_job to gantry_tenant');
  }
}
