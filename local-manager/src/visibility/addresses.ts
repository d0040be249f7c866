// Which IPv4 addresses can be advertised or given to a virtual machine.
import ipaddr from 'ipaddr.js';
import { refusal } from '../refusals.ts';

const unusable = ['unspecified', 'broadcast', 'multicast', 'loopback', 'linkLocal'];
/** From here up addresses are reserved; those of documentation, which are so too, do no harm. */
const firstReserved = 240;

/** Throws a refusal unless it is an address in four decimal parts that a machine can have. */
export function usableAddress(text: string, what: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) || /(^|\.)0\d/.test(text))
    throw refusal('invalid_address', `${what} is not an IPv4 address: ${text}`);
  const address = ipaddr.IPv4.parse(text);
  const range = address.range();
  if (unusable.includes(range) || (address.octets[0] ?? 0) >= firstReserved)
    throw refusal('invalid_address', `${what} can not be ${text}: it is ${range}.`);
  return text;
}

/** Whether both are in the network that the first is in. */
export function isInNetwork(address: string, other: string, prefixLength: number): boolean {
  return ipaddr.IPv4.parse(other).match(ipaddr.IPv4.parse(address), prefixLength);
}

export function maskOf(prefixLength: number): string {
  return ipaddr.IPv4.subnetMaskFromPrefixLength(prefixLength).toString();
}
