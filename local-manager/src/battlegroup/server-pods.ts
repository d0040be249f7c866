// The pods of a battlegroup, and which of them are game servers.
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import { fieldsOf, jsonOf, listOf, numberOf, textOf } from '../parsing.ts';
import { refusal } from '../refusals.ts';
import type { Battlegroup } from './battlegroup-view.ts';

export interface ServerPod {
  name: string;
  /** The game server, as the battlegroup names it; null for other programs. */
  server: string | null;
  phase: string;
  startedAt: string | null;
  /** How often its programs were started again. */
  restarts: number;
  /** How a program of it ended last; null if none did. */
  ended: { at: string | null; detail: string } | null;
}

const script = `exec sudo -n kubectl --request-timeout=8s get pods -n "$1" -o json`;

export async function listPods(shell: GuestShell, battlegroup: Battlegroup): Promise<ServerPod[]> {
  const text = await shell.read({ script, values: [battlegroup.namespace] });
  const { items } = fieldsOf(jsonOf(text));
  if (!Array.isArray(items)) throw refusal('guest_failed', 'The list of pods has an unknown format.');
  return podsIn(items, battlegroup.maps);
}

export function podsIn(items: readonly unknown[], maps: Battlegroup['maps']): ServerPod[] {
  return items
    .map(fieldsOf)
    .map((pod) => {
      const status = fieldsOf(pod['status']);
      const name = textOf(fieldsOf(pod['metadata'])['name']) ?? '';
      const containers = listOf(status['containerStatuses']).map(fieldsOf);
      const endings = containers
        .map((container) => fieldsOf(fieldsOf(container['lastState'])['terminated']))
        .filter((ended) => Object.keys(ended).length > 0);
      return {
        name,
        server: serverOf(name, maps),
        phase: textOf(status['phase']) ?? 'Unknown',
        startedAt: textOf(status['startTime']),
        restarts: containers.reduce((sum, { restartCount }) => sum + (numberOf(restartCount) ?? 0), 0),
        ended: endingOf(endings),
      };
    })
    .filter(({ name }) => name !== '');
}

/** Of several programs, the one that ended last. */
function endingOf(endings: readonly ReturnType<typeof fieldsOf>[]): ServerPod['ended'] {
  const [last] = endings.toSorted((a, b) =>
    (textOf(b['finishedAt']) ?? '').localeCompare(textOf(a['finishedAt']) ?? ''),
  );
  if (last === undefined) return null;
  const code = numberOf(last['exitCode']);
  const detail = [textOf(last['reason']), code === null ? null : `exit code ${code}`].filter(
    (part) => part !== null,
  );
  return { at: textOf(last['finishedAt']), detail: detail.join(', ') };
}

/** The vendor names such pods `…-sg-MAP-pod-PARTITION`, with the map in lower case and other characters as hyphens. */
function serverOf(pod: string, maps: Battlegroup['maps']): string | null {
  const [, key = '', partition = ''] = /-sg-(.+)-pod-(\d+)$/.exec(pod) ?? [];
  if (key === '') return null;
  const candidates = maps.filter(({ map }) => keyOf(map) === key);
  const exact = candidates.find((candidate) => candidate.partition === Number(partition));
  // A server that starts or ends is in one of both lists only.
  return (exact ?? (candidates.length === 1 ? candidates[0] : undefined))?.server ?? `${key} #${partition}`;
}

const keyOf = (map: string): string => map.toLowerCase().replace(/[^a-z0-9]/g, '-');
