// Generates the guest's network files from the requested addresses.
import type { components } from '../../../generated/local-manager.d.ts';
import { refusal } from '../refusals.ts';
import { hostAddress, isInNetwork, maskOf, usableAddress, wrongAddress } from '../visibility/addresses.ts';

type NetworkRequest = components['schemas']['NetworkRequest'];

export interface Interfaces {
  interfaces: string;
  nameServers: string | null;
  /** The machine's address afterwards; null if the router assigns it. */
  address: string | null;
}

export function interfacesOf(request: NetworkRequest): Interfaces {
  const loopback = 'auto lo\niface lo inet loopback\n\nauto eth0\n';
  if (request.mode === 'dhcp')
    return { interfaces: `${loopback}iface eth0 inet dhcp\n`, nameServers: null, address: null };
  const { staticIp, staticPrefixLength, staticGateway, staticDns } = request;
  if (staticIp === undefined || staticPrefixLength === undefined || staticGateway === undefined)
    throw refusal('invalid_address', 'A fixed address needs the address, the prefix length and the gateway.');
  const address = hostAddress(staticIp, 'The fixed address', '/staticIp', staticPrefixLength);
  const gateway = hostAddress(staticGateway, 'The router', '/staticGateway', staticPrefixLength);
  if (address === gateway || !isInNetwork(address, gateway, staticPrefixLength))
    throw wrongAddress('The router must have another address in the same network.', '/staticGateway');
  const servers = (staticDns ?? [gateway]).map((server) =>
    usableAddress(server, 'A DNS server', '/staticDns'),
  );
  return {
    interfaces: `${loopback}iface eth0 inet static\n\taddress ${address}\n\tnetmask ${maskOf(staticPrefixLength)}\n\tgateway ${gateway}\n`,
    nameServers: servers.map((server) => `nameserver ${server}\n`).join(''),
    address,
  };
}
