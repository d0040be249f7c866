// Looks for drafts of events by an index, also with plans that a session made while their table was empty.
import { Migration } from '@mikro-orm/migrations';

export class IndexedDrafts extends Migration {
  override up(): void {
    // Such a plan reads the whole table, once for each draft of a large transaction.
    this.addSql('alter function number_events() set enable_seqscan = off');
  }
}
