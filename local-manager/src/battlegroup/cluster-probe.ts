// Queries the cluster in the virtual machine with one call: namespaces, battlegroups, ports and addresses.
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import { readSections } from '../guest-shell/sections.ts';
import { fieldsOf, jsonOf, listOf, textOf, type Fields } from '../parsing.ts';
import { refusal } from '../refusals.ts';

export const namespacePrefix = 'funcom-seabass-';

export interface ClusterView {
  /** Whether the cluster responds; it does not right after a start, and never before a bootstrap. */
  isUp: boolean;
  /** Why the battlegroups are unknown; undefined if they are known. */
  trouble: string | undefined;
  /** Whether the vendor's programs are installed. */
  isInstalled: boolean;
  /** Namespaces for servers, including those that are being deleted. */
  namespaces: { name: string; isTerminating: boolean }[];
  battlegroups: Fields[];
  /** What the game servers report of themselves; empty in packages that have none of it. */
  serverStats: Fields[];
  directorPort: number | null;
  externalIp: string | null;
}

const probe = `
folder=$1
section resources
sudo -n kubectl --request-timeout=8s get namespaces,services,nodes --all-namespaces -o 'jsonpath={range .items[*]}{.kind}|{.metadata.name}|{.status.phase}|{.spec.ports[?(@.port==11717)].nodePort}|{.status.addresses[?(@.type=="ExternalIP")].address}{"\\n"}{end}' || { section down; exit_code=1; }
if [ -z "$exit_code" ]; then
  section battlegroups
  failed=
  { said=$(sudo -n kubectl --request-timeout=8s get battlegroups --all-namespaces -o json 2>&1 >&3) || failed=1; } 3>&1
  if [ -n "$failed" ]; then section trouble; printf '%s' "$said"; fi
  section stats
  sudo -n kubectl --request-timeout=8s get serverstats --all-namespaces -o json 2>/dev/null
fi
section installed
[ -e "$folder/bin/battlegroup" ] && printf yes
exit 0
`;

export async function probeCluster(shell: GuestShell, folder: string): Promise<ClusterView> {
  const sections = await readSections(shell, probe, [folder]);
  const resources = resourcesOf(sections.get('resources') ?? '');
  const port = resources.find((resource) => resource.port !== '')?.port ?? '';
  const address = resources.find((resource) => resource.address !== '')?.address ?? '';
  const isUp = !sections.has('down');
  return {
    isUp,
    isInstalled: sections.get('installed') === 'yes',
    namespaces: resources
      .filter(({ kind, name }) => kind === 'Namespace' && name.startsWith(namespacePrefix))
      .map(({ name, phase }) => ({ name, isTerminating: phase === 'Terminating' })),
    serverStats: listOf(fieldsOf(jsonOf(sections.get('stats') ?? ''))['items']).map(fieldsOf),
    ...(isUp ? battlegroupsOf(sections) : { battlegroups: [], trouble: 'it does not respond yet' }),
    directorPort: /^\d{1,5}$/.test(port) ? Number(port) : null,
    externalIp: /^[\d.]{7,15}$/.test(address) ? address : null,
  };
}

/** Before the first bootstrap the cluster does not know the type; no other error means that there is no battlegroup. */
const unknownType = /doesn't have a resource type/;
const maxText = 300;

function battlegroupsOf(
  sections: ReadonlyMap<string, string>,
): Pick<ClusterView, 'battlegroups' | 'trouble'> {
  const message = sections.get('trouble');
  if (message !== undefined && unknownType.test(message)) return { battlegroups: [], trouble: undefined };
  const { items } = fieldsOf(jsonOf(sections.get('battlegroups') ?? ''));
  if (message === undefined && Array.isArray(items))
    return { battlegroups: listOf(items).map(fieldsOf), trouble: undefined };
  return {
    battlegroups: [],
    trouble: (textOf(message) ?? 'its response has an unknown form').slice(-maxText),
  };
}

/** Refuses if the battlegroups are unknown: an action that assumes there are none could destroy a whole world. */
export function refuseUnknown({ isUp, isInstalled, trouble }: ClusterView): void {
  if (trouble === undefined || (!isUp && !isInstalled)) return;
  throw refusal(
    'guest_failed',
    `The cluster of the virtual machine does not list its battlegroups: ${trouble}. After a start this takes a minute; try again then.`,
  );
}

interface Resource {
  kind: string;
  name: string;
  phase: string;
  port: string;
  address: string;
}

/** One resource per line, as the probe prints them; of several ports or addresses, the first one counts. */
function resourcesOf(text: string): Resource[] {
  return text.split('\n').map((line) => {
    const [kind = '', name = '', phase = '', ports = '', addresses = ''] = line.trim().split('|');
    return { kind, name, phase, port: firstOf(ports), address: firstOf(addresses) };
  });
}

const firstOf = (words: string): string => words.split(' ')[0] ?? '';
