// What this host can see of the ports, on request.
import { Button, List, Table } from '@mantine/core';
import { Icon } from '@gantry/ui/icons.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';

type State = Schemas['PortCheck']['state'];

const states: Record<State, { text: string; tone: Tone }> = {
  open: { text: 'Open', tone: 'good' },
  closed: { text: 'Closed', tone: 'bad' },
  unknown: { text: 'Unknown', tone: 'idle' },
};

export function PortCheck() {
  const check = useMutation({ mutationFn: () => bodyOf(api.GET('/api/server-visibility/ports')) });
  return (
    <Section
      title="Check the ports"
      lead="Checks from this host and inside the virtual machine. Only a check from outside can show whether players can connect from the internet."
    >
      <Button
        variant="default"
        loading={check.isPending}
        onClick={() => check.mutate()}
        leftSection={<Icon name="pulse" size={16} />}
      >
        Check from this host
      </Button>
      <ProblemAlert error={check.error} />
      {check.data !== undefined && <Checks checks={check.data} />}
    </Section>
  );
}

function Checks({ checks: { checks, limits } }: { checks: Schemas['PortChecks'] }) {
  return (
    <div role="status">
      <ScrollingTable label="Checked ports">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Port</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Finding</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {checks.map(({ port, protocol, address, state, proves }) => (
            <Table.Tr key={`${address} ${port} ${protocol}`}>
              <Table.Td className="number">
                {port} {protocol}
                <div className="hint">{address}</div>
              </Table.Td>
              <Table.Td>
                <StateText tone={states[state].tone}>{states[state].text}</StateText>
              </Table.Td>
              <Table.Td>{proves}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      <List spacing={6} mt="sm" size="sm">
        {limits.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </div>
  );
}
