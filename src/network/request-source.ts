// Which addresses count as one source: an IPv4 address, or the IPv6 network from which its holder can choose.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const networkBytes = 8;

export function networkOf(source: string): string {
  if (isIPv4(source) || !ipaddr.isValid(source)) return source;
  const address = ipaddr.process(source);
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, networkBytes)).toString('hex');
}
