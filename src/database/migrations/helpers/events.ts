// Has the database record events of a table's rows, in the transaction of the change, whichever statement makes it.
import type { Migration } from '@mikro-orm/migrations';

/** An event that a change of a row causes. Texts are SQL, in which `new` and `old` are the row. */
export interface EventRule {
  on: 'insert' | 'update' | 'delete';
  type: string;
  /** Which rows cause it; a condition without subqueries. */
  when?: string;
  /** A further condition, which may have subqueries. */
  and?: string;
  /** The kind of subject; the default is the type's area. */
  subjectType?: string;
  /** The subject's id; the default is the row's. */
  subject?: string;
  license?: string;
  instance?: string;
  host?: string;
  /** When it happened; the default is now. */
  at?: string;
  /** The fields of the event's data. */
  data: Readonly<Record<string, string>>;
}

/** Call it after the tables of events are created. */
export function recordEvents(migration: Migration, table: string, rules: readonly EventRule[]): void {
  for (const on of ['insert', 'update', 'delete'] as const) {
    const own = rules.filter((rule) => rule.on === on);
    if (own.length === 0) continue;
    const name = `record_${table}_${on}_events`;
    // The function reads names that the caller may not see, and writes only drafts of the row's license.
    migration.addSql(`
      create function ${name}() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        ${own.map(statementOf).join('\n        ')}
        return null;
      end $$`);
    migration.addSql(`revoke execute on function ${name} from public`);
    const conditions = own.map(({ when }) => when);
    const when = conditions.includes(undefined)
      ? ''
      : `when (${conditions.map((each) => `(${each})`).join(' or ')})`;
    migration.addSql(
      `create trigger events_recorded_${on} after ${on} on ${table} for each row ${when} execute function ${name}()`,
    );
  }
}

function statementOf(rule: EventRule): string {
  const row = rule.on === 'delete' ? 'old' : 'new';
  const { type, when = 'true', and = 'true', subject = `${row}.id`, license = `${row}.license_id` } = rule;
  const {
    subjectType = type.slice(0, type.indexOf('.')),
    instance = 'null',
    host = 'null',
    at = 'now()',
  } = rule;
  const fields = Object.entries(rule.data).map(([field, value]) => `'${field}', ${value}`);
  return `if (${when}) and (${and}) then
          insert into event_draft (license_id, type, subject_type, subject_id, instance_id, host_id, occurred_at, data)
          values (${license}, '${type}', '${subjectType}', ${subject}, ${instance}, ${host}, ${at},
            jsonb_build_object(${fields.join(', ')}));
        end if;`;
}

/** A time as the API writes it. */
export const time = (value: string) =>
  `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The names of those columns that an update has changed. */
export const changed = (...columns: string[]) =>
  `to_jsonb(array_remove(array[${columns
    .map((column) => `case when old.${column} is distinct from new.${column} then '${column}' end`)
    .join(', ')}]::text[], null))`;

export const differs = (...columns: string[]) =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');

/** The first characters of a text that users write. */
export const cut = (text: string) => `left(${text}, 500)`;

export const instanceName = (id: string) => `(select name from game_instance where id = ${id})`;
export const hostname = (id: string) => `(select hostname from agent_host where id = ${id})`;
