// One-time codes that enroll hosts, and hosts that sign in with their own key.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';
import { recordEvents, time } from './helpers/events.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';
import { currentLicense } from '../../entities/tenant.ts';

export class EnrolmentCodes extends Migration {
  override up(): void {
    this.addSql(`
      create table enrolment_code (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license (id) on delete cascade,
        code_hash text not null unique,
        created_by text,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        used_at timestamptz(3),
        host_id uuid,
        bus_public_key text,
        constraint enrolment_code_use_check check (num_nulls(used_at, host_id, bus_public_key) in (0, 3))
      )`);
    this.addSql('create index on enrolment_code (license_id, expires_at)');
    this.addSql('create index on enrolment_code (expires_at)');
    keepLicensesApart(this, 'enrolment_code');
    audit(this, 'enrolment_code', { secrets: ['code_hash'], events: 'insert or update' });
    recordEvents(this, 'enrolment_code', [
      {
        on: 'insert',
        type: 'host.enrolment_code_created',
        subjectType: 'enrolment_code',
        data: { expires_at: time('new.expires_at') },
      },
    ]);
    // A host that was enrolled with a code holds no companion token; its own key admits it.
    this.addSql('alter table agent_host add column has_own_credential boolean not null default false');
    this.addSql('drop trigger audited on agent_host');
    audit(this, 'agent_host', {
      updatesOf: ['bus_public_key', 'key_reset_expires_at', 'has_own_credential'],
    });
  }
}
