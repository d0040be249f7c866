// Account security: the second factor, password tokens, sent mail, and the counters that slow attackers down.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class Accounts extends Migration {
  override up(): void {
    this.addSql('alter table user_session add column source text');
    this.addSql(`
      create table totp (
        user_id uuid primary key references user_account on delete cascade,
        sealed_secret bytea not null,
        confirmed_at timestamptz(3),
        last_used_step integer,
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql(`
      create table recovery_code (
        code_hash text primary key,
        user_id uuid not null references user_account on delete cascade
      )`);
    this.addSql('create index on recovery_code (user_id)');
    this.addSql(`
      create table sign_in_challenge (
        token_hash text primary key,
        user_id uuid not null references user_account on delete cascade,
        chosen_license_id uuid,
        attempts integer not null default 0,
        expires_at timestamptz(3) not null
      )`);
    this.addSql('create index on sign_in_challenge (user_id)');
    this.addSql(`
      create table password_token (
        token_hash text primary key,
        user_id uuid not null references user_account on delete cascade,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null
      )`);
    this.addSql('create index on password_token (user_id)');
    this.addSql(
      `create table sent_mail (id uuid primary key, sent_at timestamptz(3) not null default now())`,
    );
    // What a crash forgets are counters of minutes.
    this.addSql(`
      create unlogged table rate_limit (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      )`);
    this.addSql('create index on rate_limit (expire)');

    audit(this, 'totp', { target: 'user_id', secrets: ['sealed_secret'], updatesOf: ['confirmed_at'] });
    audit(this, 'recovery_code', { target: 'user_id', secrets: ['code_hash'], events: 'delete' });
  }
}
