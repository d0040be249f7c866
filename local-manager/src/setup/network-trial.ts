// Tries new addresses in the virtual machine, which reverts to the former ones unless the new ones are confirmed.
import { randomUUID } from 'node:crypto';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Interfaces } from './interfaces.ts';

/**
 * Continues after its session has ended. Uses Alpine's own file; name servers change only when the addresses are kept.
 */
const attempt = `
folder=$1
put() { sudo -n tee /etc/network/interfaces < "$1" > /dev/null; }
sleep 1
put "$folder/interfaces"
sudo -n rc-service networking restart
code=$?
# A restart of the machine meanwhile uses the old addresses.
put "$folder/interfaces.old"
echo "$code" > "$folder/outcome"
left=$2
while [ "$left" -gt 0 ]; do
  sleep 1
  [ -d "$folder" ] || exit 0
  left=$((left - 1))
done
mkdir "$folder/decided" 2> /dev/null || exit 0
sudo -n rc-service networking restart
echo back > "$folder/outcome"
left=300
while [ "$left" -gt 0 ] && [ -d "$folder" ]; do
  sleep 1
  left=$((left - 1))
done
rm -rf "$folder"
`;

const begin = `
set -e
umask 077
folder=\${TMPDIR:-/tmp}/$1
mkdir "$folder"
sudo -n cat /etc/network/interfaces > "$folder/interfaces.old"
printf '%s' "$2" > "$folder/interfaces"
printf '%s' "$3" > "$folder/resolv"
printf '%s' "$5" > "$folder/attempt"
nohup sh "$folder/attempt" "$folder" "$4" > /dev/null 2>&1 &
`;

/** Prints nothing while the restart is running. */
const outcome = 'cat "${TMPDIR:-/tmp}/$1/outcome" 2> /dev/null || :';

/** Creating the folder decides the race: the machine either reverts, or keeps the new addresses. */
const keep = `
folder=\${TMPDIR:-/tmp}/$1
mkdir "$folder/decided" || { echo 'it went back to its old addresses meanwhile' >&2; exit 1; }
set -e
file=/etc/network/interfaces
cmp -s "$folder/interfaces" "$folder/interfaces.old" || sudo -n cp -p $file $file.bak
sudo -n tee $file.gantry < "$folder/interfaces" > /dev/null
sync
sudo -n mv $file.gantry $file
if [ -s "$folder/resolv" ]; then
  sudo -n cp /etc/resolv.conf /etc/resolv.conf.bak || :
  sudo -n tee /etc/resolv.conf < "$folder/resolv" > /dev/null
fi
rm -rf "$folder"
`;

const forget = 'rm -rf "${TMPDIR:-/tmp}/$1"';

export type TrialState = { is: 'tried'; code: number } | { is: 'back' } | undefined;

export class NetworkTrial {
  /** A folder in the guest's temporary directory. */
  readonly #folder = `gantry-network-${randomUUID()}`;

  async begin(shell: GuestShell, wanted: Interfaces, seconds: number): Promise<void> {
    const { interfaces, nameServers } = wanted;
    const values = [this.#folder, interfaces, nameServers ?? '', String(seconds), attempt];
    await shell.read({ script: begin, values });
  }

  /** The state of the trial; undefined while the network restarts. */
  async look(shell: GuestShell): Promise<TrialState> {
    const message = (await shell.read({ script: outcome, values: [this.#folder] })).trim();
    if (message === 'back') return { is: 'back' };
    return /^\d+$/.test(message) ? { is: 'tried', code: Number(message) } : undefined;
  }

  /** Makes the change permanent, also after a restart of the machine. */
  async keep(shell: GuestShell): Promise<void> {
    await shell.read({ script: keep, values: [this.#folder] });
  }

  async forget(shell: GuestShell): Promise<void> {
    await shell.read({ script: forget, values: [this.#folder] });
  }
}
