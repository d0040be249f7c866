// IP networks of callers, and which network counts as one source. An IPv4-mapped IPv6 address counts as IPv4.
import { isIPv4 } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

export type Network = readonly [address: IPv4 | IPv6, prefixLength: number];

/** Parses a network in CIDR notation or a single address; undefined if it is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...others] = text.split('/');
  const base = parseAddress(address);
  if (base === undefined || others.length > 0) return undefined;
  const bits = base.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return unmapped([base, bits]);
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return undefined;
  return unmapped([base, Number(prefix)]);
}

/** The network in CIDR notation, with zeros after its prefix. */
export function formatNetwork([address, prefixLength]: Network): string {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefixLength}`;
}

export function isWithin(source: string, networks: readonly Network[]): boolean {
  const address = parseAddress(source.replace(/%.*$/, ''));
  if (address === undefined) return false;
  const [seen] = unmapped([address, address.kind() === 'ipv4' ? 32 : 128]);
  return networks.some(([base, length]) => seen.kind() === base.kind() && seen.match(base, length));
}

/**
 * Accepts only unambiguous forms: for IPv4 four decimal numbers; for IPv6 neither zones nor `::1.2.3.4`, an address of
 * its own that the library takes for `::ffff:1.2.3.4`.
 */
function parseAddress(text: string): IPv4 | IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes('%') || deprecated.test(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.IPv6.parse(text);
}

const deprecated = /^::\d+\./;

const mappedBits = 96;

function unmapped([address, prefixLength]: Network): Network {
  if (address.kind() === 'ipv4' || prefixLength < mappedBits) return [address, prefixLength];
  const six = address as IPv6;
  return six.isIPv4MappedAddress() ? [six.toIPv4Address(), prefixLength - mappedBits] : [six, prefixLength];
}

/** Of IPv6. */
const networkBytes = 8;

/** One source: an IPv4 address, or the IPv6 network from which its holder can choose. */
export function networkOf(source: string): string {
  if (isIPv4(source) || !ipaddr.isValid(source)) return source;
  const address = ipaddr.process(source);
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, networkBytes)).toString('hex');
}
