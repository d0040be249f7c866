// Distinguishes public internet addresses from private and reserved ones.
import { lookup as lookUp } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { DownloadError } from '../errors.ts';

/** IPv4 addresses that are not public: IANA's special-purpose registry, multicast, and a cloud provider's service. */
const privateOfFour = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateOfFour.addSubnet(network, bits, 'ipv4');

const globalOfSix = new BlockList();
globalOfSix.addSubnet('2000::', 3, 'ipv6');

/** Exceptions among the global addresses: protocol assignments, tunnels to IPv4, and documentation. */
const specialOfSix = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  specialOfSix.addSubnet(network, bits, 'ipv6');

export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateOfFour.check(address, 'ipv4');
    case 6:
      return globalOfSix.check(address, 'ipv6') && !specialOfSix.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Resolves a name for a connection, which then uses exactly the addresses that were checked. */
export const publicLookup: LookupFunction = (name, options, done) => {
  lookUp(name, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    if (error !== null || first === undefined) {
      done(error ?? new Error(`${name} does not resolve to an address`), '', 0);
      return;
    }
    if (!found.every(({ address }) => isPublic(address))) {
      done(new DownloadError(`It is not fetched: ${name} resolves to an address that is not public.`), '', 0);
      return;
    }
    if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  });
};

/** Checks IP literals here, because `publicLookup` is not called for them. */
export function refusePrivateLiteral({ hostname }: URL): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !isPublic(address))
    throw new DownloadError(`It is not fetched: ${address} is not a public address.`);
}
