// The latest replay or recovery of each webhook, and how far it got.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class WebhookReplays extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_replay (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        webhook_id uuid not null unique,
        kind text not null check (kind in ('replay', 'recovery')),
        status text not null default 'running' check (status in ('running', 'finished', 'cancelled')),
        patterns text[],
        is_only_missing boolean not null default false,
        from_at timestamptz(3) not null,
        to_at timestamptz(3),
        after_at timestamptz(3) not null,
        after_seq bigint not null default 0,
        last_seq bigint not null default 0,
        after_delivery_id uuid not null default '00000000-0000-0000-0000-000000000000',
        queued_count integer not null default 0,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        check ((status = 'running') = (finished_at is null)),
        foreign key (license_id, webhook_id) references webhook (license_id, id) on delete cascade
      )`);
    this.addSql(`create index on webhook_replay (webhook_id) where status = 'running'`);
    keepLicensesApart(this, 'webhook_replay');
    audit(this, 'webhook_replay', { target: 'webhook_id', events: 'insert' });
    this.addSql(`create index on webhook_delivery (webhook_id, id) where status in ('failed', 'cancelled')`);
  }
}
