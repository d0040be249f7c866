// What is bought in stores, what payment providers tell of it, and what is brought to players for it.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class StoreOrders extends Migration {
  override up(): void {
    this.addSql(`
      create table store_order (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        steam_id text not null,
        player_name text,
        provider text not null check (provider in ('sandbox', 'stripe')),
        is_test boolean not null,
        status text not null default 'pending' check (status in
          ('pending', 'paid', 'failed', 'expired', 'partially_refunded', 'refunded', 'disputed')),
        currency text not null,
        total_minor bigint not null check (total_minor > 0),
        refunded_minor bigint not null default 0 check (refunded_minor >= 0),
        dispute text not null default 'none' check (dispute in ('none', 'open', 'won', 'lost')),
        has_failed boolean not null default false,
        has_expired boolean not null default false,
        checkout_reference text,
        checkout_url text,
        payment_reference text,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        paid_at timestamptz(3),
        unique (license_id, id)
      )`);
    this.addSql('create index on store_order (license_id, id desc)');
    this.addSql('create index on store_order (license_id, steam_id)');
    this.addSql('create index on store_order (license_id, payment_reference)');
    this.addSql(`create index on store_order (expires_at) where status = 'pending'`);
    keepLicensesApart(this, 'store_order', { rights: 'select, insert, update' });

    this.addSql(`
      create table store_order_line (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        order_id uuid not null,
        item_id uuid,
        item_name text not null,
        unit_minor bigint not null check (unit_minor > 0),
        quantity integer not null check (quantity > 0),
        instance_ids jsonb not null,
        delivery_commands jsonb not null,
        revoke_commands jsonb not null,
        needs_online_player boolean not null,
        repeats_after_wipe boolean not null,
        delivery_days integer not null,
        unique (license_id, id),
        foreign key (license_id, order_id) references store_order (license_id, id) on delete cascade,
        foreign key (license_id, item_id) references store_item (license_id, id) on delete set null (item_id)
      )`);
    this.addSql('create index on store_order_line (license_id, order_id)');
    this.addSql('create index on store_order_line (license_id, item_id)');
    keepLicensesApart(this, 'store_order_line', { rights: 'select, insert, update' });

    this.addSql(`
      create table store_payment_event (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        order_id uuid,
        provider text not null check (provider in ('sandbox', 'stripe')),
        event_id text not null,
        kind text not null check (kind in
          ('paid', 'failed', 'expired', 'refunded', 'dispute_opened', 'dispute_won', 'dispute_lost')),
        amount_minor bigint,
        currency text,
        payment_reference text,
        outcome text not null check (outcome in ('applied', 'unmatched', 'refused')),
        received_at timestamptz(3) not null default now(),
        unique (license_id, provider, event_id),
        foreign key (license_id, order_id) references store_order (license_id, id) on delete cascade
      )`);
    this.addSql('create index on store_payment_event (license_id, order_id)');
    this.addSql(
      `create index on store_payment_event (license_id, payment_reference) where outcome = 'unmatched'`,
    );
    keepLicensesApart(this, 'store_payment_event', { rights: 'select, insert, update' });

    this.addSql(`
      create table store_delivery (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        order_id uuid not null,
        line_id uuid not null,
        instance_id uuid,
        instance_name text not null,
        steam_id text not null,
        kind text not null check (kind in ('delivery', 'revocation')),
        unit integer not null check (unit > 0),
        status text not null default 'waiting' check (status in
          ('waiting', 'waiting_for_player', 'sent', 'delivered', 'failed', 'uncertain', 'expired', 'cancelled')),
        attempt_count integer not null default 0,
        next_attempt_at timestamptz(3) default now(),
        command_id uuid,
        detail text,
        error_code text,
        wipe_id uuid,
        resend_of uuid,
        requested_by text,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        finished_at timestamptz(3),
        check ((status in ('waiting', 'waiting_for_player')) = (next_attempt_at is not null)),
        check ((status in ('waiting', 'waiting_for_player', 'sent')) = (finished_at is null)),
        foreign key (license_id, order_id) references store_order (license_id, id) on delete cascade,
        foreign key (license_id, line_id) references store_order_line (license_id, id) on delete cascade,
        foreign key (license_id, instance_id) references game_instance (license_id, id)
          on delete set null (instance_id)
      )`);
    // Whatever is done twice, a unit is brought to an instance once for its purchase, and once after each wipe.
    this.addSql(
      `create unique index store_delivery_once on store_delivery
         (line_id, unit, instance_id, kind, coalesce(wipe_id, '00000000-0000-0000-0000-000000000000'))
       where resend_of is null`,
    );
    this.addSql('create index on store_delivery (license_id, id desc)');
    this.addSql('create index on store_delivery (license_id, order_id)');
    this.addSql('create index on store_delivery (license_id, instance_id)');
    this.addSql('create index on store_delivery (license_id, command_id)');
    this.addSql('alter table game_instance add column store_asked_at timestamptz(3)');
    this.addSql(`create index on store_delivery (instance_id) where status = 'sent'`);
    this.addSql(`create index on store_delivery (instance_id) where status = 'waiting_for_player'`);
    this.addSql(
      `create index on store_delivery (instance_id, next_attempt_at) where next_attempt_at is not null`,
    );
    this.addSql(`create index on store_delivery (expires_at) where finished_at is null`);
    keepLicensesApart(this, 'store_delivery', { rights: 'select, insert, update' });
    // Only what somebody has asked for is a change of theirs; the rest follows from payments.
    this.addSql(
      `create trigger audited after insert on store_delivery for each row when (new.resend_of is not null)
       execute function record_change('license_id', 'id')`,
    );
  }
}
