// Deletes everything: lists it first, then requires a confirmation word.
import { Button, Checkbox, List, Table, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, useResetPlan, useStatus } from '../api/queries.ts';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useLast, useRunning } from '../operations/operations-context.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';

type Item = Schemas['ResetItem'];

const kinds: Record<Item['kind'], string> = {
  battlegroup: 'Battlegroup',
  vm: 'Virtual machine',
  folder: 'Folder',
  key: 'Key',
  cache: 'Kept by the manager',
};

/** Offered while there is something to delete; the result of a reset stays visible. */
export function ResetPanel({ vm }: { vm: Schemas['VmStatus'] }) {
  const [isPlanShown, setIsPlanShown] = useState(false);
  // An interrupted copy has left a folder and no virtual machine.
  const plan = useResetPlan(isPlanShown || vm.state === 'missing');
  const last = useLast('reset');
  const isLeft = plan.data?.items.some(({ kind }) => kind === 'folder' || kind === 'key') === true;
  const isOffered = vm.state === 'missing' ? isLeft : vm.state !== 'unknown';
  if (!isOffered && last === null) return null;
  return (
    <Section
      title="Delete and start fresh"
      {...(isPlanShown && { tone: 'danger' as const })}
      lead="Removes the virtual machine with its world and characters, the install folders on all drives, the keys and the manager’s own data. Only a backup can restore the world, so use this as a last resort."
    >
      <OperationOutcome kinds={['reset']} />
      {last?.result?.remaining !== undefined && last.result.remaining.length > 0 && (
        <Items title="These could not be removed" items={last.result.remaining} />
      )}
      {last?.result?.removed !== undefined && <Items title="Removed" items={last.result.removed} />}
      {isOffered && isPlanShown && (
        <Loaded asked={plan} waitingFor="what would be deleted">
          {({ items }) => <Plan items={items} onClose={() => setIsPlanShown(false)} />}
        </Loaded>
      )}
      {isOffered && !isPlanShown && (
        <Button
          variant="default"
          onClick={() => setIsPlanShown(true)}
          leftSection={<Icon name="trash" size={16} />}
        >
          Show what would be deleted
        </Button>
      )}
    </Section>
  );
}

function Plan({ items, onClose }: { items: readonly Item[]; onClose: () => void }) {
  const running = useRunning();
  const status = useStatus();
  const [word, setWord] = useState('');
  const [isBackupWanted, setIsBackupWanted] = useState(true);
  const hasWorld = status.data !== undefined && status.data.battlegroup !== null;
  const reset = useAction((body: Schemas['ResetRequest']) => bodyOf(api.POST('/api/setup/reset', { body })));
  if (items.length === 0) return <p className="hint">There is nothing to delete.</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reset.mutate({ confirm: word, backup: hasWorld && isBackupWanted }, { onSuccess: onClose });
      }}
    >
      <ScrollingTable label="What would be deleted">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Name</Table.Th>
            <Table.Th>More</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(({ kind, name, detail }) => (
            <Table.Tr key={`${kind} ${name}`}>
              <Table.Td>{kinds[kind]}</Table.Td>
              <Table.Td className="path">{name}</Table.Td>
              <Table.Td>{detail ?? ''}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      {hasWorld ? (
        <Checkbox
          mt="md"
          label="Back the world up to this host first"
          description="Nothing is deleted if the backup fails. It can be restored into a new virtual machine."
          checked={isBackupWanted}
          onChange={({ currentTarget }) => setIsBackupWanted(currentTarget.checked)}
        />
      ) : (
        <p className="hint">
          The world cannot be reached, so it cannot be backed up now. If you need it, restore access first.
        </p>
      )}
      <TextInput
        mt="md"
        maw={320}
        label="Type DELETE to confirm"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        value={word}
        onChange={({ currentTarget }) => setWord(currentTarget.value)}
      />
      <div className="actions">
        <Button type="submit" color="red" disabled={running !== null} loading={reset.isPending}>
          Delete everything
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <WaitsFor />
      </div>
      <ProblemAlert error={reset.error} />
    </form>
  );
}

function Items({ title, items }: { title: string; items: readonly Item[] }) {
  return (
    <div>
      <p className="hint">{title}:</p>
      <List size="sm" mb="sm">
        {items.map(({ kind, name, detail }) => (
          <List.Item key={`${kind} ${name}`} className="path">
            {kinds[kind]} {name}
            {detail !== null && ` (${detail})`}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
