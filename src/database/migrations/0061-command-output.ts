// Keeps what game servers printed for console commands, and finds it by its age.
import { Migration } from '@mikro-orm/migrations';

export class CommandOutput extends Migration {
  override up(): void {
    this.addSql('alter table command add column output jsonb');
    this.addSql('create index command_output_idx on command (created_at) where output is not null');
  }
}
