// Warns that players are sent to a private address that the virtual machine does not have.
import { Alert } from '@mantine/core';
import { Icon } from '@gantry/ui/icons.tsx';
import type { Schemas } from '../api/client.ts';

export function OtherPrivateAddress({ visibility }: { visibility: Schemas['ServerVisibility'] }) {
  const { advertisedIp, vmIp, isOtherPrivate } = visibility;
  if (!isOtherPrivate) return null;
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
