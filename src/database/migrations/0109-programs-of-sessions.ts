// The program that uses a session, so that users recognize their browsers and programs in the list of sessions.
import { Migration } from '@mikro-orm/migrations';

export class ProgramsOfSessions extends Migration {
  override up(): void {
    this.addSql('alter table user_session add column user_agent text');
  }
}
