// Reads dates only from the names of the partitions of one table.
// The planner could apply the conversion to the names of all relations first, and most of those are no dates.
import { Migration } from '@mikro-orm/migrations';

export class ExpiredPartitions extends Migration {
  override up(): void {
    this.#dropPartitions(
      'drop_month_partitions',
      `to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= current_date - kept_days`,
    );
    this.#dropPartitions(
      'drop_day_partitions',
      `to_date(right(relname, 10), 'YYYY_MM_DD') < current_date - kept_days`,
    );
  }

  #dropPartitions(name: string, isExpired: string): void {
    this.addSql(`
      create or replace function ${name}(parent text, kept_days integer) returns void
      language plpgsql set timezone = 'UTC' set lock_timeout = '1s' as $$
      declare
        partition text;
      begin
        for partition in
          with partitions as materialized (
            select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
            where inhparent = parent::regclass
          )
          select relname from partitions where ${isExpired} order by relname
        loop
          execute format('drop table %I', partition);
        end loop;
      exception when lock_not_available then
        raise notice '% is in use', partition;
      end $$`);
  }
}
