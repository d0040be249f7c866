// Gives the virtual machine its address, fixed or from the router, and writes the one that players join at.
import { randomUUID } from 'node:crypto';
import type { components } from '../../../generated/local-manager.d.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { OperationRun } from '../operations/operation-run.ts';
import type { Operation } from '../operations/operation-store.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal, refusal } from '../refusals.ts';
import { isInNetwork, maskOf, usableAddress } from '../visibility/addresses.ts';
import type { Visibility } from '../visibility/visibility.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import type { SetupState } from './setup-state.ts';

type NetworkRequest = components['schemas']['NetworkRequest'];

interface Interfaces {
  interfaces: string;
  nameServers: string | null;
  /** Where it is found afterwards; null when the router decides. */
  address: string | null;
}

/** Alpine's own files. The restart goes on when the session that asked for it has ended, and says when it is over. */
const apply = `
set -e
printf '%s' "$1" | sudo -n tee /etc/network/interfaces > /dev/null
if [ -n "$2" ]; then printf '%s' "$2" | sudo -n tee /etc/resolv.conf > /dev/null; fi
sudo -n sh -c 'nohup sh -c "sleep 1; rc-service networking restart; echo \\$? > \\"\\$1\\"" gantry "$1" > /dev/null 2>&1 &' gantry "$3"
`;

/** Prints nothing as long as the restart goes on. */
const outcome = 'if [ -s "$1" ]; then cat "$1"; fi';
const restartedWithinMs = 120_000;

interface Parts {
  guest: Guest;
  reader: VmReader;
  visibility: Visibility;
  operations: Operations;
  state: SetupState;
  pollMs: number;
}

export class Network {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(request: NetworkRequest): Promise<Operation> {
    const { operations, guest, state, reader, visibility } = this.#parts;
    const wanted = interfacesOf(request);
    const { playerIp } = request;
    if (typeof playerIp === 'string') usableAddress(playerIp, 'The address that players join at');
    operations.refuseWhileRunning();
    const shell = await guest.open();
    return operations.start('setUpNetwork', async (run) => {
      const ip = await this.#apply(run, shell, wanted);
      if (playerIp !== undefined) {
        const there = await guest.at(ip);
        await run.step('Write the address that players join at', () => visibility.write(there, playerIp));
      }
      await state.add('network', (await reader.existing()).id);
      return { summary: `The virtual machine is at ${ip}.`, ip };
    });
  }

  async #apply(run: OperationRun, shell: GuestShell, wanted: Interfaces): Promise<string> {
    const { pollMs } = this.#parts;
    const { interfaces, nameServers, address } = wanted;
    const note = `/tmp/gantry-network-${randomUUID()}`;
    await run.step('Write the addresses', () =>
      shell.read({ script: apply, values: [interfaces, nameServers ?? '', note] }),
    );
    return run.step(
      'Wait until its network has restarted',
      async ({ signal }) => {
        const found = await run.poll(() => this.#restarted(address, note), {
          everyMs: pollMs,
          withinMs: restartedWithinMs,
          signal,
        });
        if (found === undefined)
          throw refusal(
            'guest_unreachable',
            `After the restart of its network the virtual machine does not answer${address === null ? '' : ` at ${address}`}.`,
          );
        if (found.code !== 0) run.line('error', `The restart of its network ended with ${found.code}.`);
        return found.ip;
      },
      { isCancellable: true },
    );
  }

  /** Where it is and how the restart went; undefined as long as nobody can be asked, or it goes on. */
  async #restarted(address: string | null, note: string): Promise<{ ip: string; code: number } | undefined> {
    const { guest, reader } = this.#parts;
    try {
      const ip = address ?? (await reader.now()).vm?.ip ?? undefined;
      if (ip === undefined) return undefined;
      const said = (await (await guest.at(ip)).read({ script: outcome, values: [note] })).trim();
      return /^\d+$/.test(said) ? { ip, code: Number(said) } : undefined;
    } catch (error) {
      if (!isRefusal(error) || error.code === 'host_key_changed') throw error;
      return undefined;
    }
  }
}

export function interfacesOf(request: NetworkRequest): Interfaces {
  const loopback = 'auto lo\niface lo inet loopback\n\nauto eth0\n';
  if (request.mode === 'dhcp')
    return { interfaces: `${loopback}iface eth0 inet dhcp\n`, nameServers: null, address: null };
  const { staticIp, staticPrefixLength, staticGateway, staticDns } = request;
  if (staticIp === undefined || staticPrefixLength === undefined || staticGateway === undefined)
    throw refusal('invalid_address', 'A fixed address needs the address, the prefix length and the gateway.');
  const address = usableAddress(staticIp, 'The fixed address');
  const gateway = usableAddress(staticGateway, 'The gateway');
  if (address === gateway || !isInNetwork(address, gateway, staticPrefixLength))
    throw refusal('invalid_address', 'The gateway has to be another address of the same network.');
  const servers = (staticDns ?? [gateway]).map((server) => usableAddress(server, 'A name server'));
  return {
    interfaces: `${loopback}iface eth0 inet static\n\taddress ${address}\n\tnetmask ${maskOf(staticPrefixLength)}\n\tgateway ${gateway}\n`,
    nameServers: servers.map((server) => `nameserver ${server}\n`).join(''),
    address,
  };
}
