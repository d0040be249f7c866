// Schedules and their runs; a run follows its command, whoever ends that.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Schedules extends Migration {
  override up(): void {
    this.addSql(`
      create table schedule (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        instance_id uuid not null,
        name text not null,
        action jsonb not null,
        cron text not null,
        time_zone text not null,
        missed_runs text not null default 'skip' check (missed_runs in ('skip', 'catch_up')),
        is_enabled boolean not null default true,
        next_run_at timestamptz(3),
        created_by text not null,
        version integer not null default 1,
        created_at timestamptz(3) not null default now(),
        check (is_enabled or next_run_at is null),
        unique (license_id, id),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql('create index on schedule (license_id, instance_id, id)');
    this.addSql('create index on schedule (next_run_at, id) where next_run_at is not null');
    keepLicensesApart(this, 'schedule');
    audit(this, 'schedule', {
      updatesOf: ['name', 'action', 'cron', 'time_zone', 'missed_runs', 'is_enabled'],
    });

    this.addSql(`
      create table schedule_run (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        schedule_id uuid not null,
        due_at timestamptz(3),
        status text not null check (status in ('running', 'succeeded', 'failed', 'skipped')),
        detail text,
        error_code text,
        command_id uuid,
        requested_by text,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        check ((status = 'running') = (finished_at is null)),
        unique (schedule_id, due_at),
        foreign key (license_id, schedule_id) references schedule (license_id, id) on delete cascade,
        foreign key (license_id, command_id) references command (license_id, id) on delete set null (command_id)
      )`);
    this.addSql('create index on schedule_run (license_id, schedule_id, id desc)');
    this.addSql('create index on schedule_run (command_id)');
    this.addSql('create index on schedule_run (created_at)');
    this.addSql(`create index on schedule_run (created_at) where status = 'running'`);
    keepLicensesApart(this, 'schedule_run');

    this.addSql(`
      create function end_schedule_run() returns trigger language plpgsql as $$
      begin
        update schedule_run set
          status = case new.status when 'succeeded' then 'succeeded' else 'failed' end,
          detail = new.detail,
          error_code = case new.status when 'expired' then 'expired' else new.error_code end,
          finished_at = coalesce(new.finished_at, now())
        where license_id = new.license_id and command_id = new.id;
        return null;
      end $$`);
    this.addSql(`
      create trigger ends_schedule_run after update of status on command for each row
      when (new.status is distinct from old.status and new.status in ('succeeded', 'failed', 'expired'))
      execute function end_schedule_run()`);
  }
}
