// Partitions of the audit log refuse changes as the log does, also where a statement names the partition.
import { Migration } from '@mikro-orm/migrations';

export class AppendOnlyPartitions extends Migration {
  override up(): void {
    this.addSql(`
      create function keep_append_only(partition text) returns void
      language plpgsql as $$
      begin
        execute format('create trigger append_only before update or delete or truncate on %I
          for each statement execute function refuse_change()', partition);
      end $$`);
    this.addSql(`
      select keep_append_only(inhrelid::regclass::text) from pg_inherits where inhparent = 'audit_entry'::regclass`);
    this.addSql(`
      create or replace function create_month_partitions(parent text, first_month date, months integer) returns void
      language plpgsql set timezone = 'UTC' as $$
      declare
        starts date := date_trunc('month', first_month);
        partition text;
      begin
        for i in 1..months loop
          partition := parent || to_char(starts, '_YYYY_MM');
          if to_regclass(format('%I', partition)) is null then
            execute format('create table %I partition of %I for values from (%L) to (%L)',
              partition, parent, starts, starts + interval '1 month');
            execute format('alter table %I enable row level security', partition);
            if parent = 'audit_entry' then perform keep_append_only(partition); end if;
          end if;
          starts := starts + interval '1 month';
        end loop;
      end $$`);
  }
}
