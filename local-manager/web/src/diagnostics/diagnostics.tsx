// The self-test of this machine, and a bundle for supporters.
import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { useSelftest } from '../api/queries.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { UpdatePanel } from './update-panel.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';

type Check = Schemas['SelftestCheck'];

const states: Record<Check['state'], { tone: Tone; words: string }> = {
  passed: { tone: 'good', words: 'Passed' },
  warning: { tone: 'busy', words: 'Warning' },
  failed: { tone: 'bad', words: 'Failed' },
  skipped: { tone: 'idle', words: 'Skipped' },
};

export function Diagnostics() {
  const [isWanted, setIsWanted] = useState(false);
  const selftest = useSelftest(isWanted);
  return (
    <div className="stack">
      <PageHead title="Diagnostics">For finding the cause of a failure.</PageHead>
      <Section
        title="Self-test"
        lead="Tests everything on this machine that the manager depends on. It changes nothing."
      >
        {isWanted && (
          <Loaded asked={selftest} waitingFor="the self-test">
            {(found) => <Checks found={found} />}
          </Loaded>
        )}
        <div className="actions">
          <Button
            variant={isWanted ? 'default' : 'filled'}
            loading={selftest.isFetching}
            onClick={() => (isWanted ? void selftest.refetch() : setIsWanted(true))}
            leftSection={<Icon name="pulse" size={16} />}
          >
            {isWanted ? 'Run it again' : 'Run the self-test'}
          </Button>
        </div>
      </Section>
      <UpdatePanel />
      <Section
        title="Support bundle"
        lead="The self-test, the status, the latest operations with their output, and the audit log. It contains no tokens, passwords or keys; check it before you send it."
      >
        <Button
          component="a"
          href="/api/diagnostics/bundle"
          download
          variant="default"
          leftSection={<Icon name="download" size={16} />}
        >
          Download the bundle
        </Button>
      </Section>
      <Section title="API" lead="Everything on this page uses an API that your scripts can use too.">
        <Button
          component="a"
          href="/api/docs"
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<Icon name="link" size={16} />}
        >
          API documentation
        </Button>
      </Section>
    </div>
  );
}

function Checks({ found: { checks, version, platform } }: { found: Schemas['Selftest'] }) {
  return (
    <>
      <ScrollingTable label="Results of the self-test">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Check</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th>More</Table.Th>
            <Table.Th ta="right">Time</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {checks.map(({ name, state, detail, ms }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <StateText tone={states[state].tone}>{states[state].words}</StateText>
              </Table.Td>
              <Table.Td>{detail ?? ''}</Table.Td>
              <Table.Td ta="right" className="number">
                {ms} ms
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      <p className="hint">
        Version {version} on {platform}.
      </p>
    </>
  );
}
