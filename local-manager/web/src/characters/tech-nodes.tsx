// Every node of a character's tech tree, on demand.
import { Button, NativeSelect, Table, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { useCharacterTech } from '../api/queries.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import classes from './tech-nodes.module.css';

type Node = Schemas['TechNode'];

const states: Record<Node['state'], string> = {
  purchased: 'Purchased',
  notPurchased: 'Not purchased',
  notInSave: 'Not in the save',
};

const kinds: Record<Node['kind'], string> = {
  group: 'Group',
  recipe: 'Recipe',
  building: 'Building',
  other: 'Other',
};

const maxShown = 100;

export function TechNodes({ characterId }: { characterId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const bodyId = useId();
  const tech = useCharacterTech(characterId, isOpen);
  return (
    <div className={`stack ${classes.nodes}`}>
      <div>
        <Button
          variant="subtle"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setIsOpen(!isOpen)}
          leftSection={<Icon name={isOpen ? 'up' : 'down'} size={16} />}
        >
          {isOpen ? 'Hide the nodes' : 'Show the nodes'}
        </Button>
      </div>
      <div id={bodyId}>
        {isOpen && (
          <Loaded asked={tech} waitingFor="the tech tree">
            {({ nodes }) => <NodeTable nodes={nodes} />}
          </Loaded>
        )}
      </div>
    </div>
  );
}

function NodeTable({ nodes }: { nodes: readonly Node[] }) {
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const found = nodes.filter(
    (node) => node.key.toLowerCase().includes(text.toLowerCase()) && (state === '' || node.state === state),
  );
  return (
    <div className="stack">
      <div className="fields">
        <TextInput
          label="Find"
          type="search"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <NativeSelect
          label="State"
          value={state}
          onChange={({ currentTarget }) => setState(currentTarget.value)}
          data={[
            { value: '', label: 'All' },
            ...Object.entries(states).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      <p className="hint" role="status">
        {found.length > maxShown
          ? `${found.length} nodes; the first ${maxShown} are shown.`
          : `${found.length} ${found.length === 1 ? 'node' : 'nodes'}.`}
      </p>
      <ScrollingTable label="Nodes of the tech tree">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Node</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>State</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.slice(0, maxShown).map((node) => (
            <Table.Tr key={node.key}>
              <Table.Td>{node.key}</Table.Td>
              <Table.Td>{kinds[node.kind]}</Table.Td>
              <Table.Td>{states[node.state]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
    </div>
  );
}
