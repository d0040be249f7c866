// Checks which IPv4 addresses can be advertised or given to a virtual machine.
import ipaddr from 'ipaddr.js';
import { refusalAt, type Refusal } from '../refusals.ts';

/** Why addresses of these ranges are unreachable. */
const unusable: Readonly<Record<string, string>> = {
  unspecified: 'it identifies no machine',
  broadcast: 'it is the broadcast address',
  multicast: 'it is a multicast address',
  loopback: 'it is a loopback address',
  linkLocal: 'machines choose such addresses when no DHCP server assigns one',
};
/** Addresses from here on are reserved; documentation ranges are reserved as well, but do no harm. */
const firstReserved = 240;

/** Throws a refusal that names the field, unless the text is a dotted-decimal address that a machine can have. */
export function usableAddress(text: string, what: string, pointer: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) || /(^|\.)0\d/.test(text))
    throw wrongAddress(`${what} is not an IPv4 address: ${text}`, pointer);
  const address = ipaddr.IPv4.parse(text);
  const reason = unusable[address.range()];
  if (reason !== undefined) throw wrongAddress(`${what} cannot be ${text}: ${reason}.`, pointer);
  if ((address.octets[0] ?? 0) >= firstReserved)
    throw wrongAddress(`${what} cannot be ${text}: it is reserved, and no machine has it.`, pointer);
  return text;
}

/** As `usableAddress`, for a host address in a network of that size. */
export function hostAddress(text: string, what: string, pointer: string, prefixLength: number): string {
  const address = usableAddress(text, what, pointer);
  const network = `${address}/${prefixLength}`;
  if (ipaddr.IPv4.networkAddressFromCIDR(network).toString() === address)
    throw wrongAddress(`${what} cannot be ${text}: it is the network address.`, pointer);
  if (ipaddr.IPv4.broadcastAddressFromCIDR(network).toString() === address)
    throw wrongAddress(`${what} cannot be ${text}: it is the broadcast address of the network.`, pointer);
  return address;
}

export const wrongAddress = (detail: string, pointer: string): Refusal =>
  refusalAt('invalid_address', pointer, detail);

/** Of networks at home, of providers that share one public address, and of machines without DHCP. */
const privateRanges: readonly string[] = ['private', 'linkLocal', 'carrierGradeNat'];

/** Whether only some private network can reach the address. False for a text that is not an IPv4 address. */
export const isPrivateAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) && privateRanges.includes(ipaddr.IPv4.parse(text).range());

/** Whether both addresses are in the same network. */
export function isInNetwork(address: string, other: string, prefixLength: number): boolean {
  return ipaddr.IPv4.parse(other).match(ipaddr.IPv4.parse(address), prefixLength);
}

export function maskOf(prefixLength: number): string {
  return ipaddr.IPv4.subnetMaskFromPrefixLength(prefixLength).toString();
}
