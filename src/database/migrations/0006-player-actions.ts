// What was done to players, and the events within licenses that others hear of.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class PlayerActions extends Migration {
  override up(): void {
    this.addSql('alter table command add unique (license_id, id)');
    this.addSql(`
      create table player_action (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        instance_id uuid,
        instance_name text not null,
        command_id uuid,
        kind text not null check (kind in ('kick', 'ban', 'unban', 'message')),
        steam_id text not null check (steam_id ~ '^[0-9]{17}$'),
        text text,
        until timestamptz(3),
        requested_by text,
        status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'expired')),
        detail text,
        error_code text,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        ended_at timestamptz(3),
        lift_tried_at timestamptz(3),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete set null (instance_id),
        foreign key (license_id, command_id) references command (license_id, id) on delete set null (command_id)
      )`);
    this.addSql('create index on player_action (license_id, id desc)');
    this.addSql('create index on player_action (license_id, steam_id, id desc)');
    this.addSql('create index on player_action (license_id, instance_id, id desc)');
    this.addSql('create index on player_action (license_id, command_id)');
    this.addSql(`
      create index on player_action (until)
      where kind = 'ban' and status = 'succeeded' and ended_at is null and until is not null`);
    keepLicensesApart(this, 'player_action', { rights: 'select, insert' });
    audit(this, 'player_action', { events: 'insert' });

    this.addSql(`
      create table domain_event (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        kind text not null,
        subject_id uuid not null,
        data jsonb not null,
        occurred_at timestamptz(3) not null default now(),
        unique (license_id, kind, subject_id)
      )`);
    this.addSql('create index on domain_event (license_id, id)');
    keepLicensesApart(this, 'domain_event', { rights: 'select, insert' });
  }
}
