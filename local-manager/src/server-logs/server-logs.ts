// Reads and searches the logs of the battlegroup's programs.
import type { components } from '../../../generated/local-manager.d.ts';
import { notFound } from '../../../src/errors.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import { listPods, type ServerPod } from '../battlegroup/server-pods.ts';
import type { Guest } from '../guest-shell/guest.ts';
import { refusal } from '../refusals.ts';
import { KeyLines, hiddenMark, type Secrets } from '../security/secrets.ts';

type Schemas = components['schemas'];

/** Lines that a search covers. */
const searchedLines = 50_000;
const maxLineLength = 4_000;
const readMs = 60_000;

/**
 * Takes the namespace, the pod, the number of lines to read and to return, `previous` or nothing, and the text to
 * search for or nothing. The first line of its output is the exit code of kubectl.
 */
const script = `
file="\${TMPDIR:-/tmp}/gantry-log.$$"
trap 'rm -f "$file" "$file.err"' EXIT
umask 077
sudo -n kubectl --request-timeout=30s logs -n "$1" "$2" --timestamps --tail="$3" \${5:+--previous} > "$file" 2> "$file.err"
code=$?
echo "$code"
[ "$code" = 0 ] || { tail -n 3 "$file.err"; exit 0; }
cut -c 1-${maxLineLength} "$file" | { if [ -n "$6" ]; then grep -i -F -e "$6"; else cat; fi; } | tail -n "$4"
exit 0
`;

interface Parts {
  guest: Guest;
  battlegroups: Battlegroups;
  secrets: Secrets;
}

interface LogRequest {
  search: string | undefined;
  limit: number;
  isPrevious: boolean;
}

export class ServerLogs {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async sources(): Promise<Schemas['LogSource'][]> {
    const { guest, battlegroups } = this.#parts;
    const shell = await guest.open();
    const pods = await listPods(shell, await battlegroups.only(shell));
    return pods
      .map(({ name, server, phase, restarts }) => ({ id: name, server, phase, restarts }))
      .toSorted((a, b) => rankOf(a) - rankOf(b) || nameOf(a).localeCompare(nameOf(b)));
  }

  async read(id: string, { search, limit, isPrevious }: LogRequest): Promise<Schemas['ServerLog']> {
    const { guest, battlegroups } = this.#parts;
    const shell = await guest.open();
    const battlegroup = await battlegroups.only(shell);
    const pods: ServerPod[] = await listPods(shell, battlegroup);
    const pod = pods.find(({ name }) => name === id);
    if (pod === undefined) throw notFound('source of logs');
    // One line more than asked for shows whether there are earlier ones.
    const wanted = String(limit + 1);
    const text = await shell.read({
      script,
      values: [
        battlegroup.namespace,
        pod.name,
        search === undefined ? wanted : String(searchedLines),
        wanted,
        isPrevious ? 'previous' : '',
        search ?? '',
      ],
      timeoutMs: readMs,
    });
    const [code = '', ...lines] = text.replace(/\n$/, '').split('\n');
    if (code !== '0') {
      // Only a pod whose program was never started again has no earlier log.
      if (isPrevious && pod.restarts === 0) return { lines: [], isTruncated: false };
      throw refusal('guest_failed', `The log cannot be read: ${lines.join(' ').trim()}`);
    }
    const shown = lines.filter((line) => line !== '').slice(-limit);
    return { lines: this.#view(shown), isTruncated: lines.length > limit };
  }

  #view(lines: readonly string[]): Schemas['LogLine'][] {
    const key = new KeyLines();
    return lines.map((line) => {
      const [, at = null, text = line] =
        /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) ?(.*)$/.exec(line) ?? [];
      return { at, text: key.takes(text) ? hiddenMark : this.#parts.secrets.hide(text) };
    });
  }
}

/** Game servers come first. */
const rankOf = ({ server }: Schemas['LogSource']): number => (server === null ? 1 : 0);
const nameOf = ({ server, id }: Schemas['LogSource']): string => server ?? id;
