// The game servers of the battlegroup, one for each map.
import { Table } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { Section } from '@gantry/ui/section.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';

export function MapsPanel({ maps }: { maps: Schemas['Battlegroup']['maps'] }) {
  return (
    <Section title="Maps">
      {maps.length === 0 ? (
        <p className="hint">No map is running. Maps appear here when the battlegroup starts.</p>
      ) : (
        <ScrollingTable label="Maps">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Map</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th ta="right">Players</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {maps.map(({ map, phase, isReady, players }, index) => (
              <Table.Tr key={`${map} ${index}`}>
                <Table.Td>{map}</Table.Td>
                <Table.Td>
                  <StateText tone={isReady ? 'good' : 'busy'}>{phase}</StateText>
                </Table.Td>
                <Table.Td ta="right" className="number">
                  {players ?? '–'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollingTable>
      )}
    </Section>
  );
}
