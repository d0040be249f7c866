// Recognizes an advertised address that only some private network can reach.
import ipaddr from 'ipaddr.js';
import type { components } from '../../../../generated/local-manager.d.ts';

type Visibility = components['schemas']['ServerVisibility'];

/** Of networks at home and of providers that share one public address. */
const privateRanges: readonly string[] = ['private', 'linkLocal', 'carrierGradeNat'];

/** Whether players are sent to a private address that the virtual machine does not have. */
export const isOtherPrivate = ({
  advertisedIp,
  isWan,
}: Pick<Visibility, 'advertisedIp' | 'isWan'>): boolean =>
  isWan &&
  advertisedIp !== null &&
  ipaddr.IPv4.isValidFourPartDecimal(advertisedIp) &&
  privateRanges.includes(ipaddr.IPv4.parse(advertisedIp).range());
