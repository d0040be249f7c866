// The ports that a router has to forward, ready to copy.
import { Table } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';

type Port = Schemas['PortForward'];

interface PortTableProps {
  target: string;
  ports: readonly Port[];
  /** Whether the advertised address needs them. */
  isNeeded: boolean;
}

export function PortTable({ target, ports, isNeeded }: PortTableProps) {
  const rowOf = ({ port, protocol, purpose }: Port) => [port, protocol, target, purpose].join('\t');
  return (
    <Section
      title="Ports to forward"
      lead={
        isNeeded
          ? `Forward these on your router to ${target}: the virtual machine, not this host.`
          : `Not needed while all players are in this network. For a public address, forward these on your router to ${target}: the virtual machine, not this host.`
      }
      aside={<CopyText text={ports.map(rowOf).join('\n')}>Copy all</CopyText>}
    >
      <ScrollingTable label="Ports to forward">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Port</Table.Th>
            <Table.Th className="wide">Protocol</Table.Th>
            <Table.Th>To</Table.Th>
            <Table.Th className="wide">Purpose</Table.Th>
            <Table.Th>
              <span className="visuallyHidden">Copy</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ports.map((row) => (
            <Table.Tr key={`${row.port} ${row.protocol}`}>
              <Table.Td className="number">
                {row.port}
                <span className="narrow"> {row.protocol}</span>
                <div className="narrow hint">{row.purpose}</div>
              </Table.Td>
              <Table.Td className="wide">{row.protocol}</Table.Td>
              <Table.Td className="number">{target}</Table.Td>
              <Table.Td className="wide">{row.purpose}</Table.Td>
              <Table.Td ta="right">
                <CopyText text={rowOf(row)} label={`Copy port ${row.port} ${row.protocol}`}>
                  Copy
                </CopyText>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
    </Section>
  );
}
