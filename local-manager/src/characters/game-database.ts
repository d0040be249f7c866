// Queries the game's database through psql in its pod: our SQL on standard input, values as psql variables.
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import { jsonOf } from '../parsing.ts';
import { refusal } from '../refusals.ts';

/** Ports that packages have used; the cluster's own value comes first. psql exits with 2 if nothing listens. */
const ask = `
namespace=$1
pod=$2
shift 2
sql=$(cat)
known=$(sudo -n kubectl get databasedeployments -n "$namespace" -o 'jsonpath={.items[0].spec.port}' 2>/dev/null)
for port in $known 5432 15432; do
  printf '%s\\n' "$sql" | sudo -n kubectl exec -i -n "$namespace" "$pod" -- \\
    sh -c 'PGPASSWORD="$\{PGPASSWORD:-$POSTGRES_PASSWORD}" exec psql "$@"' psql \\
    -U dune -d dune -p "$port" -X -q -t -A -v ON_ERROR_STOP=1 "$@"
  rc=$?
  [ $rc -eq 2 ] || exit $rc
done
exit 2
`;

const timeoutMs = 60_000;

export class GameDatabase {
  readonly #shell: GuestShell;
  readonly #namespace: string;
  readonly #world: string;

  constructor(shell: GuestShell, battlegroup: { namespace: string; name: string }) {
    this.#shell = shell;
    this.#namespace = battlegroup.namespace;
    this.#world = battlegroup.name;
  }

  /** The JSON that the last statement prints. The SQL refers to a value as :'name'. */
  async query(sql: string, values: Readonly<Record<string, string>>): Promise<unknown> {
    const variables = Object.entries(values).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
    const { exitCode, stdout, stderr } = await this.#shell.run({
      script: ask,
      values: [this.#namespace, `${this.#world}-db-dbdepl-sts-0`, ...variables],
      input: sql,
      timeoutMs,
    });
    const result = jsonOf(stdout.trim().split('\n').at(-1) ?? '');
    if (exitCode === 0 && result !== undefined) return result;
    const message = withoutSql(stderr).slice(-400);
    throw refusal(
      'guest_failed',
      `The game’s database could not be queried: ${message || `it ended with ${exitCode}`}`,
    );
  }
}

/** psql shows the position in the statement below the error; the message leaves it out. */
function withoutSql(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const errors = lines.flatMap((line) => /\b(?:ERROR|FATAL): .*/.exec(line) ?? []);
  if (errors.length > 0) return errors.join('\n');
  return lines
    .filter((line) => !/^(LINE \d+:|\s*\^)/.test(line))
    .slice(-3)
    .join('\n');
}
