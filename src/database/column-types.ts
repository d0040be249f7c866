// How values of columns arrive in JavaScript.
import pg from 'pg';

const int8 = 20;
const timestamptz = 1184;

/**
 * How column values arrive, for the ORM and for typed queries: bigint as number, because these columns hold counts and
 * bytes, all safe integers; times as the RFC 3339 text that the API returns.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary'): unknown => {
    if (oid === int8) return Number;
    if (oid === timestamptz) return rfc3339;
    return pg.types.getTypeParser(oid, format);
  }) as never,
};

/** PostgreSQL writes `2026-11-21 10:00:00.123456+00` in sessions whose time zone is UTC. */
function rfc3339(text: string): string {
  const milliseconds = text.charAt(19) === '.' ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
