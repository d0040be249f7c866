// Uploaded maps, the files of the storage that hold them, and their deployments to instances.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Maps extends Migration {
  override up(): void {
    this.addSql(`
      create table stored_file (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        kind text not null check (kind in ('maps')),
        state text not null default 'arriving' check (state in ('arriving', 'kept', 'unwanted')),
        created_at timestamptz(3) not null default now(),
        unique (license_id, id)
      )`);
    this.addSql(`create index on stored_file (created_at) where state <> 'kept'`);
    keepLicensesApart(this, 'stored_file', { rights: 'select, insert, update' });

    this.addSql(`
      create table map (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        file_id uuid not null,
        name text not null,
        sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
        bytes bigint not null check (bytes > 0),
        format_version integer not null,
        world_size integer not null,
        scan_status text not null check (scan_status in ('not_scanned', 'clean')),
        scan_detail text not null,
        public_secret text unique,
        uploaded_by text,
        version integer not null default 1,
        created_at timestamptz(3) not null default now(),
        unique (license_id, id),
        unique (license_id, sha256),
        foreign key (license_id, file_id) references stored_file (license_id, id)
      )`);
    this.addSql('create index on map (license_id, file_id)');
    keepLicensesApart(this, 'map');
    audit(this, 'map', { secrets: ['public_secret'] });

    this.addSql(`
      create table map_deployment (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        map_id uuid not null,
        instance_id uuid not null,
        file_name text not null,
        command_id uuid not null,
        removal_id uuid,
        requested_by text,
        created_at timestamptz(3) not null default now(),
        foreign key (license_id, map_id) references map (license_id, id) on delete cascade,
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade,
        foreign key (license_id, command_id) references command (license_id, id) on delete cascade,
        foreign key (license_id, removal_id) references command (license_id, id) on delete cascade
      )`);
    this.addSql('create index on map_deployment (license_id, instance_id, id desc)');
    this.addSql('create index on map_deployment (license_id, map_id)');
    this.addSql('create index on map_deployment (license_id, command_id)');
    this.addSql('create index on map_deployment (license_id, removal_id)');
    keepLicensesApart(this, 'map_deployment');
    audit(this, 'map_deployment');

    this.addSql(`
      alter table wipe_history
        add foreign key (license_id, map_id) references map (license_id, id) on delete set null (map_id)`);
    this.addSql('create index on wipe_history (license_id, map_id)');
  }
}
