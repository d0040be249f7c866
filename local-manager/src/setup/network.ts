// Gives the virtual machine its address, fixed or from the router, and writes the one that players join at.
import type { components } from '../../../generated/local-manager.d.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { OperationRun } from '../operations/operation-run.ts';
import type { Operation } from '../operations/operation-store.ts';
import type { Operations } from '../operations/operations.ts';
import { refusal } from '../refusals.ts';
import { isInNetwork, maskOf, usableAddress } from '../visibility/addresses.ts';
import type { Visibility } from '../visibility/visibility.ts';
import type { Vm } from '../vm/vm.ts';
import type { SetupState } from './setup-state.ts';

type NetworkRequest = components['schemas']['NetworkRequest'];

interface Interfaces {
  interfaces: string;
  nameServers: string | null;
  /** Where it is found afterwards; null when the router decides. */
  address: string | null;
}

/** Alpine's own files. The restart goes on when the session that asked for it has ended. */
const apply = `
set -e
printf '%s' "$1" | sudo -n tee /etc/network/interfaces > /dev/null
if [ -n "$2" ]; then printf '%s' "$2" | sudo -n tee /etc/resolv.conf > /dev/null; fi
sudo -n sh -c 'nohup sh -c "sleep 1; rc-service networking restart" > /dev/null 2>&1 &'
`;

interface Parts {
  guest: Guest;
  vm: Vm;
  visibility: Visibility;
  operations: Operations;
  state: SetupState;
}

export class Network {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(request: NetworkRequest): Promise<Operation> {
    const { operations, guest, state, visibility } = this.#parts;
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
      await state.add('network');
      return { summary: `The virtual machine is at ${ip}.`, ip };
    });
  }

  async #apply(run: OperationRun, shell: GuestShell, wanted: Interfaces): Promise<string> {
    const { vm } = this.#parts;
    const { interfaces, nameServers, address } = wanted;
    await run.step('Write the addresses', () =>
      shell.read({ script: apply, values: [interfaces, nameServers ?? ''] }),
    );
    if (address === null) return vm.waitForAddress(run);
    await vm.waitForSsh(run, address);
    return address;
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
