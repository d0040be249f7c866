// The settings of every session of the platform, set by a statement after connecting.

/**
 * Times are written in UTC. A statement that exceeds its limit is our fault. Neither a forgotten transaction nor one of
 * a dead machine may keep its locks, so idle transactions time out and the server probes the connection. Poolers
 * refuse these settings as connection parameters, so a statement sets them.
 */
export function sessionSettings(statementMs: number, lockMs: number): string {
  const settings = Object.entries({
    timezone: 'UTC',
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: 60_000,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 25_000,
    client_connection_check_interval: 10_000,
  });
  const values = settings.map(([name, value]) => `set_config('${name}', '${value}', false)`);
  return `select ${values.join(', ')}, pg_backend_pid() as pid`;
}
