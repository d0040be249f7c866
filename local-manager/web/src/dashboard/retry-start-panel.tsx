// Offers another start with other memory after the virtual machine could not be started.
import { Alert, Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { usePreflight } from '../api/queries.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { gigabytes } from './states.ts';
import type { StartFailure, VmStart } from './use-vm-start.ts';

interface RetryStartPanelProps {
  vm: Schemas['VmStatus'];
  start: VmStart;
}

export function RetryStartPanel({ vm, start: { action, failure } }: RetryStartPanelProps) {
  if (failure === null) return null;
  const isHeld = vm.state === 'saved' || vm.state === 'paused';
  return (
    <Section title="Retry Start" tone="danger">
      <Alert
        role="alert"
        color="red"
        icon={<Icon name="warning" />}
        title={
          failure.code === 'out_of_memory'
            ? 'The host has too little memory'
            : 'The virtual machine cannot be started'
        }
      >
        <p className="sentence">{failure.detail}</p>
        {failure.attemptedGB !== undefined && failure.attemptedGB.length > 0 && (
          <p className="sentence">Tried: {failure.attemptedGB.map(gigabytes).join(', ')}.</p>
        )}
        {failure.configuredGB !== undefined && (
          <p className="sentence">It stays configured with {gigabytes(failure.configuredGB)}.</p>
        )}
      </Alert>
      {isHeld ? (
        <HeldRetry vm={vm} retry={() => action.mutate({})} />
      ) : (
        <RetryForm failure={failure} retry={(memoryGB) => action.mutate({ memoryGB })} />
      )}
    </Section>
  );
}

/** A saved machine resumes with its former memory. */
function HeldRetry({ vm, retry }: { vm: Schemas['VmStatus']; retry: () => void }) {
  return (
    <>
      <p className="hint">
        It is {vm.state} with {gigabytes(vm.startupMemoryGB)} and can resume only with that much memory: close
        other programs on the host. To start it with less, delete its saved state in Hyper-V Manager; what was
        in its memory is lost.
      </p>
      <div className="actions">
        <Button onClick={retry} leftSection={<Icon name="play" size={16} />}>
          Retry start
        </Button>
      </div>
    </>
  );
}

function RetryForm({ failure, retry }: { failure: StartFailure; retry: (memoryGB: number) => void }) {
  const preflight = usePreflight(true);
  const [chosen, setChosen] = useState<number | null>(null);
  const choices = preflight.data?.memoryChoicesGB ?? [];
  const suggested = preflight.data?.suggestedMemoryGB ?? choices.at(-1) ?? null;
  const memoryGB = chosen ?? suggested;
  const freeGB = preflight.data?.memoryFreeGB ?? null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (memoryGB !== null) retry(memoryGB);
      }}
    >
      <div className="actions">
        <NativeSelect
          label="Memory for the virtual machine"
          description={
            freeGB === null
              ? 'Close other programs on the host to free memory.'
              : `${gigabytes(freeGB)} are free on the host now. Closing other programs frees more.`
          }
          value={memoryGB === null ? '' : String(memoryGB)}
          disabled={memoryGB === null}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          data={choices.map((choice) => ({
            value: String(choice),
            label: `${gigabytes(choice)}${noteOf(choice, failure, suggested, freeGB)}`,
          }))}
        />
      </div>
      <div className="actions">
        <Button type="submit" disabled={memoryGB === null} leftSection={<Icon name="play" size={16} />}>
          Retry start
        </Button>
      </div>
      <ProblemAlert error={preflight.error} retry={() => void preflight.refetch()} />
    </form>
  );
}

function noteOf(choiceGB: number, failure: StartFailure, suggestedGB: number | null, freeGB: number | null) {
  if (freeGB !== null && choiceGB === suggestedGB && choiceGB <= freeGB) return ' (fits now)';
  if (failure.attemptedGB?.includes(choiceGB) === true) return ' (was too much)';
  if (freeGB !== null && choiceGB > freeGB) return ' (more than is free)';
  return '';
}
