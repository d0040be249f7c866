// The memory of the virtual machine: the choice for a start, and the configured value.
import { Alert, Button, Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, usePreflight } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { gigabytes } from './states.ts';
import type { VmStart } from './use-vm-start.ts';

type VmStatus = Schemas['VmStatus'];

function useChoices(configuredGB: number | null): { choices: number[]; suggestedGB: number | null } {
  const { data } = usePreflight(true);
  const known = [...(data?.memoryChoicesGB ?? []), ...(configuredGB === null ? [] : [configuredGB])];
  const choices = [...new Set(known)].toSorted((one, other) => other - one);
  return { choices, suggestedGB: data?.suggestedMemoryGB ?? null };
}

/** Starts a machine that is off, with the configured memory or with another one. */
export function StartWithMemory({ vm, start, isBusy }: { vm: VmStatus; start: VmStart; isBusy: boolean }) {
  const { configuredMemoryGB } = vm;
  const { choices, suggestedGB } = useChoices(configuredMemoryGB);
  const [chosen, setChosen] = useState<number | null>(null);
  const [keepMemory, setKeepMemory] = useState(false);
  const isOther = chosen !== null && chosen !== configuredMemoryGB;
  const noteOf = (choice: number) =>
    choice === configuredMemoryGB ? ' (configured)' : choice === suggestedGB ? ' (fits now)' : '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.action.mutate(isOther ? { memoryGB: chosen, keepMemory } : {});
      }}
    >
      <NativeSelect
        mt="md"
        maw={320}
        label="Memory for this start"
        description={
          isOther ? 'Only this size is tried.' : 'If the host has too little for it, smaller sizes are tried.'
        }
        value={String(chosen ?? configuredMemoryGB ?? '')}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        data={choices.map((choice) => ({
          value: String(choice),
          label: `${gigabytes(choice)}${noteOf(choice)}`,
        }))}
      />
      {isOther && (
        <Checkbox
          mt="sm"
          label="Use it for later starts, too"
          checked={keepMemory}
          onChange={({ currentTarget }) => setKeepMemory(currentTarget.checked)}
        />
      )}
      <div className="actions">
        <Button
          type="submit"
          disabled={isBusy}
          loading={start.action.isPending}
          leftSection={<Icon name="play" size={16} />}
        >
          Start VM
        </Button>
      </div>
    </form>
  );
}

/** Memory for one start only, and the two ways to continue from it. */
export function TemporaryMemory({ vm }: { vm: VmStatus }) {
  const running = useRunning();
  const change = useAction((memoryGB: number) => bodyOf(api.PUT('/api/vm/memory', { body: { memoryGB } })));
  const { startupMemoryGB, configuredMemoryGB } = vm;
  if (!vm.isMemoryTemporary || startupMemoryGB === null) return null;
  return (
    <Alert
      mt="md"
      color="yellow"
      role="status"
      icon={<Icon name="warning" />}
      title="Memory for this start only"
    >
      <p className="sentence">
        It runs with {gigabytes(startupMemoryGB)}. The next start uses the configured{' '}
        {gigabytes(configuredMemoryGB)} again, if the host has that much.
      </p>
      <Button
        variant="default"
        disabled={running !== null}
        loading={change.isPending}
        onClick={() => change.mutate(startupMemoryGB)}
      >
        Keep {gigabytes(startupMemoryGB)}
      </Button>
      <ProblemAlert error={change.error} />
    </Alert>
  );
}

/** Changes the value for the next start while the machine runs. */
export function ConfiguredMemory({ vm }: { vm: VmStatus }) {
  const running = useRunning();
  const { choices } = useChoices(vm.configuredMemoryGB);
  const change = useAction((memoryGB: number) => bodyOf(api.PUT('/api/vm/memory', { body: { memoryGB } })));
  return (
    <>
      <NativeSelect
        mt="md"
        maw={320}
        label="Memory for the next start"
        value={String(vm.configuredMemoryGB ?? '')}
        disabled={running !== null || change.isPending}
        onChange={({ currentTarget }) => change.mutate(Number(currentTarget.value))}
        data={choices.map((choice) => ({ value: String(choice), label: gigabytes(choice) }))}
      />
      <ProblemAlert error={change.error} />
    </>
  );
}
