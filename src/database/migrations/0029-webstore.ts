// The stores of licenses: how they are set up, who takes their payments, what they sell, and the subscription to them.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Webstore extends Migration {
  override up(): void {
    this.addSql(`
      alter table subscription
        add column provider text check (provider in ('sandbox', 'stripe')),
        add column provider_reference text,
        add column checkout_url text,
        add column confirmed_at timestamptz(3),
        add column told_at timestamptz(3),
        add unique (provider, provider_reference)`);
    this.addSql(
      `create unique index subscription_one_webstore on subscription (license_id)
       where kind = 'webstore' and status in ('trialing', 'active', 'past_due')`,
    );
    this.addSql(`
      create table subscription_event (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        subscription_id uuid not null,
        provider text not null,
        event_id text not null,
        status text not null,
        occurred_at timestamptz(3) not null,
        received_at timestamptz(3) not null default now(),
        unique (provider, event_id),
        foreign key (license_id, subscription_id) references subscription (license_id, id) on delete cascade
      )`);
    this.addSql('create index on subscription_event (license_id, subscription_id)');
    keepLicensesApart(this, 'subscription_event', { rights: 'select, insert' });

    this.addSql(`
      create table store_config (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        name text not null,
        currency text not null,
        theme jsonb not null,
        terms text,
        provider text check (provider in ('sandbox', 'stripe')),
        is_enabled boolean not null default false,
        version integer not null default 1,
        check (provider is not null or not is_enabled)
      )`);
    keepLicensesApart(this, 'store_config');
    audit(this, 'store_config', { target: 'license_id' });

    this.addSql(`
      create table store_account (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        provider text not null check (provider in ('stripe')),
        secret_key bytea not null,
        webhook_secret bytea not null,
        is_test boolean not null,
        updated_at timestamptz(3) not null default now(),
        unique (license_id, provider)
      )`);
    keepLicensesApart(this, 'store_account');
    audit(this, 'store_account', { secrets: ['secret_key', 'webhook_secret'] });

    this.addSql(`
      create table store_category (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        name text not null,
        description text,
        position integer not null,
        version integer not null default 1,
        created_at timestamptz(3) not null default now(),
        unique (license_id, name),
        unique (license_id, id)
      )`);
    keepLicensesApart(this, 'store_category');
    audit(this, 'store_category');

    this.addSql(`
      create table store_item (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        category_id uuid,
        name text not null,
        description text,
        image_url text,
        position integer not null,
        price_minor bigint not null check (price_minor > 0),
        currency text not null,
        is_enabled boolean not null,
        limit_per_player integer check (limit_per_player > 0),
        limit_total integer check (limit_total > 0),
        delivery_commands jsonb not null,
        revoke_commands jsonb not null,
        needs_online_player boolean not null,
        repeats_after_wipe boolean not null,
        delivery_days integer not null check (delivery_days > 0),
        version integer not null default 1,
        created_at timestamptz(3) not null default now(),
        unique (license_id, name),
        unique (license_id, id),
        foreign key (license_id, category_id) references store_category (license_id, id)
          on delete set null (category_id)
      )`);
    this.addSql('create index on store_item (license_id, category_id)');
    keepLicensesApart(this, 'store_item');
    audit(this, 'store_item');

    this.addSql(`
      create table store_item_requirement (
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        item_id uuid not null,
        required_item_id uuid not null,
        primary key (item_id, required_item_id),
        foreign key (license_id, item_id) references store_item (license_id, id) on delete cascade,
        foreign key (license_id, required_item_id) references store_item (license_id, id) on delete cascade
      )`);
    this.addSql('create index on store_item_requirement (license_id, required_item_id)');
    keepLicensesApart(this, 'store_item_requirement', { rights: 'select, insert, delete' });

    this.addSql(`
      create table store_item_instance (
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        item_id uuid not null,
        instance_id uuid not null,
        primary key (item_id, instance_id),
        foreign key (license_id, item_id) references store_item (license_id, id) on delete cascade,
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql('create index on store_item_instance (license_id, instance_id)');
    keepLicensesApart(this, 'store_item_instance', { rights: 'select, insert, delete' });
  }
}
