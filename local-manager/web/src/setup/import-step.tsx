// Imports the virtual machine, or shows that there is one already.
import { Alert, Button, NativeSelect, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, usePreflight, useSetup } from '../api/queries.ts';
import { gigabytes } from '../dashboard/states.ts';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useRunning } from '../operations/operations-context.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { faultAt } from '../shared/faults.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';
import { Checks } from './checks.tsx';

type Preflight = Schemas['Preflight'];

export function ImportStep() {
  const preflight = usePreflight(true);
  const setup = useSetup();
  const isDone = setup.data?.steps.some(({ name, state }) => name === 'import' && state === 'done') === true;
  return (
    <div className="stack">
      <OperationOutcome kinds={['importVm']}>
        <Loaded asked={preflight} waitingFor="what there is to choose from">
          {(found) =>
            found.vmExists && isDone ? <Adopted vmState={found.vmState} /> : <ImportForm found={found} />
          }
        </Loaded>
      </OperationOutcome>
    </div>
  );
}

function Adopted({ vmState }: { vmState: string | null }) {
  return (
    <Alert color="teal" role="status" icon={<Icon name="check" />} title="The virtual machine already exists">
      It is used unchanged{vmState === null ? '' : `; Windows says that it is ${vmState.toLowerCase()}`}. To
      create a new one, delete this one first with “Delete and start fresh” below.
    </Alert>
  );
}

function ImportForm({ found }: { found: Preflight }) {
  const running = useRunning();
  const troubles = found.checks.filter(({ state }) => state !== 'passed');
  const drives = found.drives.toSorted((one, other) => other.freeGB - one.freeGB);
  const [drive, setDrive] = useState(drives.find(({ isLargeEnough }) => isLargeEnough)?.name ?? '');
  const [memoryGB, setMemoryGB] = useState(found.suggestedMemoryGB ?? found.memoryChoicesGB.at(-1) ?? 12);
  const [isExternal, setIsExternal] = useState(found.nics.length > 0);
  const [nicName, setNicName] = useState(found.nics[0]?.name ?? '');
  const start = useAction((body: Schemas['ImportRequest']) =>
    bodyOf(api.POST('/api/setup/import', { body })),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate({
          drive,
          memoryGB,
          networkMode: isExternal ? 'external' : 'default',
          ...(isExternal && { nicName }),
        });
      }}
    >
      {troubles.length > 0 && <Checks checks={troubles} />}
      <div className="fields">
        <NativeSelect
          label="Drive"
          description="Needs more than 100 GB of free space."
          required
          value={drive}
          onChange={({ currentTarget }) => setDrive(currentTarget.value)}
          error={faultAt(start.error, '/drive')}
          data={[
            ...(drive === '' ? [{ value: '', label: 'No drive is large enough', disabled: true }] : []),
            ...drives.map(({ name, freeGB, isLargeEnough }) => ({
              value: name,
              label: `${name}: (${gigabytes(freeGB)} free${isLargeEnough ? '' : ', too small'})`,
              disabled: !isLargeEnough,
            })),
          ]}
        />
        <NativeSelect
          label="Memory"
          description={`${gigabytes(found.memoryFreeGB)} are free on this host now.`}
          value={String(memoryGB)}
          onChange={({ currentTarget }) => setMemoryGB(Number(currentTarget.value))}
          data={found.memoryChoicesGB.map((choice) => ({
            value: String(choice),
            label: `${gigabytes(choice)}${choice === found.suggestedMemoryGB ? ' (fits now)' : ''}`,
          }))}
        />
      </div>
      <Radio.Group
        mt="lg"
        label="Network"
        value={isExternal ? 'external' : 'default'}
        onChange={(mode) => setIsExternal(mode === 'external')}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="external"
            disabled={found.nics.length === 0}
            label="Bridged to a network adapter, so that players can join"
            description="This host loses its network connection for a few seconds while the virtual switch is created."
          />
          <Radio
            value="default"
            label="On the host’s default switch, to try it out"
            description="No other players can join."
          />
        </Stack>
      </Radio.Group>
      {isExternal && (
        <NativeSelect
          mt="md"
          maw={420}
          label="Network adapter"
          value={nicName}
          onChange={({ currentTarget }) => setNicName(currentTarget.value)}
          error={faultAt(start.error, '/nicName')}
          data={found.nics.map(({ name, description }) => ({
            value: name,
            label: `${name} (${description})`,
          }))}
        />
      )}
      <div className="actions">
        <Button type="submit" disabled={running !== null || drive === ''} loading={start.isPending}>
          Import
        </Button>
        <WaitsFor />
      </div>
      <ProblemAlert error={start.error} />
    </form>
  );
}
