// Changes the advertised address.
import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { faultAt } from '../shared/faults.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';
import { PublicAddress } from './public-address.tsx';

type Reach = 'private' | 'given';

export function AddressForm({ visibility }: { visibility: Schemas['ServerVisibility'] }) {
  const running = useRunning();
  const [reach, setReach] = useState<Reach>(visibility.advertisedIp === null ? 'private' : 'given');
  const [address, setAddress] = useState(visibility.advertisedIp ?? '');
  const change = useAction((advertisedIp: string | null) =>
    bodyOf(api.POST('/api/server-visibility', { body: { advertisedIp } })),
  );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(reach === 'private' ? null : address.trim());
      }}
    >
      <Radio.Group label="Players join at" value={reach} onChange={(value) => setReach(value)}>
        <Stack gap="sm" mt="xs">
          <Radio
            value="private"
            label="The private address"
            description={`${visibility.vmIp}, for players in this network.`}
          />
          <Radio
            value="given"
            label="This address"
            description="Your public address, for players from the internet."
          />
        </Stack>
      </Radio.Group>
      {reach === 'given' && (
        <div>
          <TextInput
            label="IPv4 address"
            required
            maxLength={15}
            placeholder="203.0.113.7"
            value={address}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
            error={faultAt(change.error, '/advertisedIp')}
          />
          <PublicAddress
            onFound={(found) => {
              setAddress(found);
              change.reset();
            }}
          />
        </div>
      )}
      <div>
        <Button type="submit" disabled={running !== null} loading={change.isPending}>
          Save the address
        </Button>
      </div>
      <WaitsFor />
      {change.isSuccess && (
        <p className="hint" role="status">
          {change.data.message}
        </p>
      )}
      <ProblemAlert error={change.error} />
    </form>
  );
}
