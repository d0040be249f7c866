// When alerts are raised, which were, and where they are told.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

const severities = `('Info', 'Warning', 'Critical')`;

export class Alerts extends Migration {
  override up(): void {
    this.#createAlerts();
    this.#createNotifications();
  }

  #createAlerts(): void {
    this.addSql(`
      create table alert_config (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        rules jsonb not null,
        version integer not null default 1
      )`);
    keepLicensesApart(this, 'alert_config');
    audit(this, 'alert_config', { target: 'license_id' });
    this.addSql(`
      create table alert_round (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        begun_at timestamptz(3) not null
      )`);
    keepLicensesApart(this, 'alert_round');
    this.addSql(`
      create table alert (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        kind text not null,
        severity text not null check (severity in ${severities}),
        subject_id uuid not null,
        subject_name text not null,
        host_id uuid not null,
        host_name text not null,
        instance_id uuid,
        metadata jsonb not null,
        raised_at timestamptz(3) not null default now(),
        ended_at timestamptz(3),
        end_reason text check (end_reason in ('recovered', 'turned_off', 'gone')),
        acknowledged_at timestamptz(3),
        acknowledged_by text,
        check ((ended_at is null) = (end_reason is null)),
        check ((acknowledged_at is null) = (acknowledged_by is null)),
        unique (license_id, id)
      )`);
    this.addSql('create index on alert (license_id, id desc)');
    this.addSql('create index on alert (license_id, kind, subject_id, raised_at)');
    this.addSql('create unique index on alert (license_id, kind, subject_id) where ended_at is null');
    this.addSql('create index on alert (raised_at)');
    keepLicensesApart(this, 'alert');
    audit(this, 'alert', { events: 'update', updatesOf: ['acknowledged_at'] });
  }

  #createNotifications(): void {
    this.addSql(`
      create table notification_channel (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        name text not null,
        kind text not null check (kind in ('chat_webhook', 'email', 'ntfy', 'pushover')),
        destination text,
        target bytea,
        least_severity text not null default 'Info' check (least_severity in ${severities}),
        template text,
        is_enabled boolean not null default true,
        last_success_at timestamptz(3),
        last_error_at timestamptz(3),
        last_error text,
        served_at timestamptz(3),
        served_until timestamptz(3),
        turn_id uuid,
        version integer not null default 1,
        created_at timestamptz(3) not null default now(),
        check ((target is null) = (destination is null)),
        check (target is not null or not is_enabled),
        unique (license_id, name),
        unique (license_id, id)
      )`);
    keepLicensesApart(this, 'notification_channel');
    audit(this, 'notification_channel', {
      secrets: ['target'],
      updatesOf: ['name', 'kind', 'destination', 'target', 'least_severity', 'template', 'is_enabled'],
    });
    this.addSql(`
      create table notification (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        channel_id uuid not null,
        alert_id uuid,
        event text not null check (event in ('raised', 'recovered', 'test')),
        status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
        attempt_count integer not null default 0,
        failure_count integer not null default 0,
        next_attempt_at timestamptz(3) default now(),
        last_attempt_at timestamptz(3),
        detail text,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        check ((event = 'test') = (alert_id is null)),
        check ((status = 'pending') = (next_attempt_at is not null)),
        check ((status = 'pending') = (finished_at is null)),
        unique (channel_id, alert_id, event),
        foreign key (license_id, channel_id) references notification_channel (license_id, id) on delete cascade,
        foreign key (license_id, alert_id) references alert (license_id, id) on delete cascade
      )`);
    this.addSql('create index on notification (license_id, channel_id, id desc)');
    this.addSql('create index on notification (license_id, alert_id)');
    this.addSql('create index on notification (created_at)');
    this.addSql(
      `create index on notification (channel_id, (event = 'test') desc, id) where status = 'pending'`,
    );
    keepLicensesApart(this, 'notification', { rights: 'select, insert, update' });
  }
}
