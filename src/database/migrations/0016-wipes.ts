// Wipes of game instances, planned, under way and past.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Wipes extends Migration {
  override up(): void {
    this.addSql(`
      create table wipe_history (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        host_id uuid,
        instance_id uuid,
        instance_name text not null,
        command_id uuid,
        kind text not null check (kind in ('map', 'blueprints', 'full')),
        seed integer check (seed > 0),
        world_size integer check (world_size between 1000 and 6000),
        map_id uuid,
        countdown_seconds integer not null check (countdown_seconds between 0 and 86400),
        message text,
        with_backup boolean not null,
        with_start boolean not null,
        status text not null default 'planned' check (status in ('planned', 'announcing', 'stopping', 'backing_up',
          'deleting', 'starting', 'completed', 'failed', 'rolled_back', 'cancelled')),
        report_seq integer not null default 0,
        reported_at timestamptz(3),
        detail text,
        error_code text,
        due_at timestamptz(3),
        file_count integer,
        deleted_bytes bigint,
        requested_by text,
        cancel_requested_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        begun_at timestamptz(3),
        finished_at timestamptz(3),
        check ((finished_at is null) = (status not in ('completed', 'failed', 'rolled_back', 'cancelled'))),
        foreign key (license_id, host_id) references agent_host (license_id, id) on delete set null (host_id),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete set null (instance_id),
        foreign key (license_id, command_id) references command (license_id, id) on delete set null (command_id)
      )`);
    this.addSql(
      `create unique index wipe_history_under_way on wipe_history (instance_id) where finished_at is null`,
    );
    this.addSql('create index on wipe_history (license_id, id desc)');
    this.addSql('create index on wipe_history (license_id, instance_id, id desc)');
    this.addSql('create index on wipe_history (license_id, host_id)');
    this.addSql('create index on wipe_history (license_id, command_id)');
    this.addSql('create index on wipe_history (created_at) where finished_at is null');
    keepLicensesApart(this, 'wipe_history', { rights: 'select, insert, update' });
    audit(this, 'wipe_history', { events: 'insert or update', updatesOf: ['cancel_requested_at'] });
  }
}
