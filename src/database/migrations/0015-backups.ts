// The backups that hosts have of their instances, as their agents told last, and how many of them are kept.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Backups extends Migration {
  override up(): void {
    // Which report of its agent an instance's backups are from.
    this.addSql('alter table game_instance add column backups_boot_id uuid, add column backups_seq bigint');
    this.addSql(`
      create table instance_backup (
        instance_id uuid not null,
        id uuid not null,
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        kind text not null check (kind in ('manual', 'scheduled', 'wipe', 'before_restore')),
        note text,
        is_pinned boolean not null default false,
        is_partial boolean not null,
        paths jsonb,
        size bigint not null,
        content_size bigint not null,
        sha256 text not null,
        files integer not null,
        changed_files integer not null,
        left_out integer not null,
        created_at timestamptz(3) not null,
        primary key (instance_id, id),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql('create index on instance_backup (license_id, instance_id, id desc)');
    keepLicensesApart(this, 'instance_backup', { rights: 'select, update' });
    audit(this, 'instance_backup', { updatesOf: ['note', 'is_pinned'] });

    this.addSql(`
      create table backup_policy (
        instance_id uuid primary key,
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        keep integer not null check (keep between 1 and 30),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql('create index on backup_policy (license_id, instance_id)');
    keepLicensesApart(this, 'backup_policy', { rights: 'select, insert, update' });
    audit(this, 'backup_policy', { target: 'instance_id' });
  }
}
