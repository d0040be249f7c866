// The changelog of the platform.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class Changelog extends Migration {
  override up(): void {
    this.addSql(`
      create table changelog_entry (
        id uuid primary key default uuidv7(),
        title text not null,
        text text not null,
        published_at timestamptz(3) unique,
        version integer not null default 1,
        created_at timestamptz(3) not null default now()
      )`);
    audit(this, 'changelog_entry');
  }
}
