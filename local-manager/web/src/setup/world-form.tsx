// The input of the bootstrap: the token, the world's name and its region.
import { Anchor, Button, Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { faultAt } from '../shared/faults.ts';
import { WaitsFor } from '../shared/waits-for.tsx';

export type World = Schemas['BootstrapRequest'];

const regions: Record<World['region'], string> = {
  asia: 'Asia',
  europe: 'Europe',
  northAmerica: 'North America',
  oceania: 'Oceania',
  southAmerica: 'South America',
};

interface WorldFormProps {
  action: string;
  error: Error | null;
  isPending: boolean;
  onSubmit: (world: World) => void;
}

export function WorldForm({ action, error, isPending, onSubmit }: WorldFormProps) {
  const running = useRunning();
  const [token, setToken] = useState('');
  const [worldName, setWorldName] = useState('');
  const [region, setRegion] = useState<World['region']>('europe');
  const [playerIp, setPlayerIp] = useState('');
  const [enableSwap, setEnableSwap] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({
          token: token.trim(),
          worldName: worldName.trim(),
          region,
          enableSwap,
          ...(playerIp.trim() !== '' && { playerIp: playerIp.trim() }),
        });
      }}
    >
      <div className="fields">
        <PasswordInput
          label="Self-hosting token"
          description={
            <>
              From{' '}
              <Anchor
                href="https://account.duneawakening.com"
                target="_blank"
                rel="noreferrer"
                inherit
                underline="always"
              >
                account.duneawakening.com
              </Anchor>
              . It is never logged.
            </>
          }
          required
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
          error={faultAt(error, '/token')}
        />
        <TextInput
          label="World name"
          description={'Up to 50 characters, without / & \\ | " \' ` $'}
          required
          maxLength={50}
          pattern={'[^\\/&\\\\\\|"\'`$]*'}
          title={'The vendor’s script fails with / & \\ | " \' ` and $'}
          value={worldName}
          onChange={({ currentTarget }) => setWorldName(currentTarget.value)}
          error={faultAt(error, '/worldName')}
        />
        <NativeSelect
          label="Region"
          description="The region in which players find the server."
          value={region}
          onChange={({ currentTarget }) => setRegion(currentTarget.value as World['region'])}
          data={Object.entries(regions).map(([value, label]) => ({ value, label }))}
          error={faultAt(error, '/region')}
        />
        <TextInput
          label="Address that players join at"
          description="Used only if the package asks for it. Leave it empty for the private address."
          maxLength={15}
          placeholder="203.0.113.7"
          value={playerIp}
          onChange={({ currentTarget }) => setPlayerIp(currentTarget.value)}
          error={faultAt(error, '/playerIp')}
        />
      </div>
      <Checkbox
        mt="md"
        label="Enable the vendor’s experimental swap"
        description="For hosts with little memory; slower."
        checked={enableSwap}
        onChange={({ currentTarget }) => setEnableSwap(currentTarget.checked)}
      />
      <div className="actions">
        <Button type="submit" disabled={running !== null} loading={isPending}>
          {action}
        </Button>
        <WaitsFor />
      </div>
    </form>
  );
}
