// Modules on sale, which licenses have bought which, and where they are installed.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Modules extends Migration {
  override up(): void {
    this.addSql(`
      create table module (
        id uuid primary key default uuidv7(),
        slug text not null unique,
        name text not null,
        description text not null,
        price integer not null check (price >= 0),
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        features text[] not null,
        plugin text not null,
        plugin_url text not null check (plugin_url ~ '^(https://|/)'),
        plugin_sha256 text not null check (plugin_sha256 ~ '^[0-9a-f]{64}$'),
        plugin_bytes integer not null check (plugin_bytes > 0),
        is_listed boolean not null default true,
        version integer not null default 1,
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql('grant select on module to gantry_tenant');
    this.addSql(`
      insert into module (slug, name, description, price, currency, features, plugin, plugin_url, plugin_sha256,
        plugin_bytes)
      values ('player-insights', 'Player insights',
        'Tells the platform who joins and leaves, for sessions, retention and new against returning players.',
        499, 'USD', '{"Sessions of players","Retention after wipes","New and returning players"}', 'GantryEvents',
        '/api/plugin/download', '00e0d72c38692604e3f956a601368cf05d6cd9fe33ccae8a124ee1ad4f896579', 4378)`);

    // From here on: when a database is migrated its log may have no partition for today yet.
    audit(this, 'module');

    this.addSql(`
      create table module_purchase (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        module_id uuid not null references module,
        amount integer not null check (amount >= 0),
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        purchased_by text not null,
        created_at timestamptz(3) not null default now(),
        unique (license_id, module_id)
      )`);
    this.addSql('create index on module_purchase (module_id)');
    keepLicensesApart(this, 'module_purchase', { rights: 'select, insert' });
    audit(this, 'module_purchase');

    this.addSql(`
      create table module_installation (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        module_id uuid not null references module,
        instance_id uuid not null,
        command_id uuid not null,
        removal_id uuid,
        requested_by text,
        created_at timestamptz(3) not null default now(),
        unique (license_id, instance_id, module_id),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade,
        foreign key (license_id, command_id) references command (license_id, id) on delete cascade,
        foreign key (license_id, removal_id) references command (license_id, id) on delete cascade
      )`);
    this.addSql('create index on module_installation (license_id, id desc)');
    this.addSql('create index on module_installation (license_id, command_id)');
    this.addSql('create index on module_installation (license_id, removal_id)');
    keepLicensesApart(this, 'module_installation', { rights: 'select, insert, update' });
    audit(this, 'module_installation');
  }
}
