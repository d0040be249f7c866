// Plans the derivation of sessions once for each database session, also before PostgreSQL 18.
import { Migration } from '@mikro-orm/migrations';

export class CachedSessionPlans extends Migration {
  override up(): void {
    // Before 18, PostgreSQL plans the statement of an SQL function at every call: seconds for each thousand game servers
    // that change their state at once. The plans of PL/pgSQL are kept.
    this.addSql(`
      create or replace function derive_sessions_around(license uuid, instance uuid, begins timestamptz, ends timestamptz)
        returns void language plpgsql as $$
      begin
        insert into player_session_due as due (license_id, instance_id, steam_id, since)
        select license, instance, session.steam_id, min(session.started_at) from player_session as session
        where session.license_id = license and session.instance_id = instance and session.started_at <= ends
          and (session.ended_at is null or session.ended_at >= begins
            or ((session.end_reason = 'silence'
                or (session.end_reason = 'server_down' and session.ended_at = session.last_sign_at))
              and session.ended_at >= begins - interval '24 hours'))
        group by session.steam_id order by session.steam_id
        on conflict (license_id, instance_id, steam_id) do update set since = least(due.since, excluded.since);
      end $$`);
  }
}
