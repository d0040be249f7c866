// Warns that the public address is no longer the advertised one.
import { Alert, Button } from '@mantine/core';
import { Icon } from '@gantry/ui/icons.tsx';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';

export function MovedAddress({ visibility }: { visibility: Schemas['ServerVisibility'] }) {
  const { watchedIp, advertisedIp, isWan } = visibility;
  const running = useRunning();
  const change = useAction((address: string) =>
    bodyOf(api.POST('/api/server-visibility', { body: { advertisedIp: address } })),
  );
  if (watchedIp === null || !isWan || watchedIp.publicIp === advertisedIp) return null;
  const { publicIp, since } = watchedIp;
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title="The public address has changed">
      <p className="sentence">
        Since {new Date(since).toLocaleString()} it is {publicIp}, but players are sent to {advertisedIp}. New
        players cannot join until you save the new address, and stop and start the battlegroup.
      </p>
      <Button
        size="xs"
        mt="sm"
        disabled={running !== null}
        loading={change.isPending}
        onClick={() => change.mutate(publicIp)}
      >
        Write {publicIp}
      </Button>
      <ProblemAlert error={change.error} />
    </Alert>
  );
}
