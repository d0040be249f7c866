// Warns that players are sent to a private address that the virtual machine does not have.
import { Alert } from '@mantine/core';
import ipaddr from 'ipaddr.js';
import { Icon } from '@gantry/ui/icons.tsx';
import type { Schemas } from '../api/client.ts';

type Visibility = Schemas['ServerVisibility'];

/** Of networks at home and of providers that share one public address. */
const privateRanges: readonly string[] = ['private', 'linkLocal', 'carrierGradeNat'];

export const isOtherPrivate = ({ advertisedIp, isWan }: Visibility): boolean =>
  isWan &&
  advertisedIp !== null &&
  ipaddr.IPv4.isValidFourPartDecimal(advertisedIp) &&
  privateRanges.includes(ipaddr.IPv4.parse(advertisedIp).range());

export function OtherPrivateAddress({ visibility }: { visibility: Visibility }) {
  if (!isOtherPrivate(visibility)) return null;
  const { advertisedIp, vmIp } = visibility;
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<Icon name="warning" />}
      title="Players are sent to another private address"
    >
      {advertisedIp} is private, and the virtual machine is at {vmIp}. Players can join only if that address
      leads to it, as in a VPN. If the virtual machine has moved, save its private address or your public one.
    </Alert>
  );
}
