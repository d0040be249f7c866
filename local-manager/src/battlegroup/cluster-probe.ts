// Asks the virtual machine in one go what its cluster has: namespaces, battlegroups, ports and addresses.
import { randomUUID } from 'node:crypto';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import { fieldsOf, jsonOf, listOf, type Fields } from '../parsing.ts';

export const namespacePrefix = 'funcom-seabass-';

export interface ClusterView {
  /** Whether the cluster answers; it does not for a while after a start, and never before a bootstrap. */
  isUp: boolean;
  /** Whether the vendor's programs are installed. */
  isInstalled: boolean;
  /** Those for servers, whether or not they are going. */
  namespaces: { name: string; isTerminating: boolean }[];
  battlegroups: Fields[];
  directorPort: number | null;
  externalIp: string | null;
}

const probe = `
mark=$1
folder=$2
section() { printf '\\n%s %s\\n' "$mark" "$1"; }
section namespaces
sudo -n kubectl --request-timeout=8s get namespaces -o 'jsonpath={range .items[*]}{.metadata.name}{" "}{.status.phase}{"\\n"}{end}' || { section down; exit_code=1; }
if [ -z "$exit_code" ]; then
  section battlegroups
  sudo -n kubectl --request-timeout=8s get battlegroups --all-namespaces -o json || printf '{"items":[]}'
  section director
  sudo -n kubectl --request-timeout=8s get services --all-namespaces -o 'jsonpath={.items[*].spec.ports[?(@.port==11717)].nodePort}' || true
  section address
  sudo -n kubectl --request-timeout=8s get nodes -o 'jsonpath={.items[*].status.addresses[?(@.type=="ExternalIP")].address}' || true
fi
section installed
[ -e "$folder/bin/battlegroup" ] && printf yes
exit 0
`;

export async function probeCluster(shell: GuestShell, folder: string): Promise<ClusterView> {
  const mark = `--${randomUUID()}`;
  const text = await shell.read({ script: probe, values: [mark, folder] });
  const sections = new Map(
    text
      .split(`\n${mark} `)
      .slice(1)
      .map((section): [string, string] => {
        const end = section.indexOf('\n');
        return end < 0 ? [section.trim(), ''] : [section.slice(0, end), section.slice(end + 1).trim()];
      }),
  );
  const [port = ''] = (sections.get('director') ?? '').split(/\s+/);
  const [address = ''] = (sections.get('address') ?? '').split(/\s+/);
  return {
    isUp: !sections.has('down'),
    isInstalled: sections.get('installed') === 'yes',
    namespaces: namespacesOf(sections.get('namespaces') ?? ''),
    battlegroups: listOf(fieldsOf(jsonOf(sections.get('battlegroups') ?? ''))['items']).map(fieldsOf),
    directorPort: /^\d{1,5}$/.test(port) ? Number(port) : null,
    externalIp: /^[\d.]{7,15}$/.test(address) ? address : null,
  };
}

function namespacesOf(text: string): ClusterView['namespaces'] {
  return text
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter(([name = '']) => name.startsWith(namespacePrefix))
    .map(([name = '', phase]) => ({ name, isTerminating: phase === 'Terminating' }));
}
