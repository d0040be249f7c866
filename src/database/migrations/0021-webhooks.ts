// Where events of licenses are sent to, what is sent, and since when a crashed instance is down.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

const outcomes = `('succeeded', 'rejected', 'timed_out', 'connection_failed', 'unresolved', 'address_refused', 'url_refused')`;

export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        name text not null,
        url text not null,
        events text[] not null,
        is_enabled boolean not null default true,
        disabled_at timestamptz(3),
        disabled_reason text,
        secret bytea not null,
        previous_secret bytea,
        previous_secret_ends_at timestamptz(3),
        last_delivery_at timestamptz(3),
        last_status text check (last_status in ${outcomes}),
        last_status_code integer,
        last_success_at timestamptz(3),
        recent_failures integer not null default 0,
        rests_until timestamptz(3),
        served_at timestamptz(3),
        served_until timestamptz(3),
        turn_id uuid,
        version integer not null default 1,
        created_at timestamptz(3) not null default now(),
        check (disabled_at is null or not is_enabled),
        check ((previous_secret is null) = (previous_secret_ends_at is null)),
        unique (license_id, name),
        unique (license_id, id)
      )`);
    keepLicensesApart(this, 'webhook');
    audit(this, 'webhook', {
      secrets: ['secret', 'previous_secret'],
      updatesOf: ['name', 'url', 'events', 'is_enabled', 'secret'],
    });

    this.addSql(`
      create table webhook_delivery (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        webhook_id uuid not null,
        event text not null,
        event_id uuid,
        body text not null,
        status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
        attempt_count integer not null default 0,
        recent_failures integer not null default 0,
        queued_at timestamptz(3) not null default now(),
        next_attempt_at timestamptz(3) default now(),
        last_attempt_at timestamptz(3),
        last_outcome text check (last_outcome in ${outcomes}),
        last_status_code integer,
        last_duration_ms integer,
        response text,
        detail text,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        check ((status = 'pending') = (next_attempt_at is not null)),
        check ((status = 'pending') = (finished_at is null)),
        unique (webhook_id, event_id),
        foreign key (license_id, webhook_id) references webhook (license_id, id) on delete cascade
      )`);
    this.addSql('create index on webhook_delivery (license_id, webhook_id, id desc)');
    this.addSql('create index on webhook_delivery (created_at)');
    this.addSql(
      `create index on webhook_delivery (webhook_id, (event = 'test') desc, id) where status = 'pending'`,
    );
    this.addSql(`create index on webhook_delivery (webhook_id, next_attempt_at) where status = 'pending'`);
    keepLicensesApart(this, 'webhook_delivery', { rights: 'select, insert, update' });

    this.addSql('alter table game_instance add column down_since timestamptz(3)');
  }
}
