// Players, memory, CPU and disk over time, with the starts and crashes that explain them.
import { Alert, SegmentedControl, Table } from '@mantine/core';
import { Icon } from '@gantry/ui/icons.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { useMonitoring } from '../api/queries.ts';
import { Loaded } from '../shared/loaded.tsx';
import { coresText, gigabytesText, machineChart, percentText, serverChart, wholeNumber } from './charts.ts';
import { TimeChartCard, timeOf } from './time-chart.tsx';

type Monitoring = Schemas['Monitoring'];

const periods = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

export function MonitoringPage() {
  const [hours, setHours] = useState('24');
  const monitoring = useMonitoring(Number(hours));
  return (
    <div className="stack">
      <PageHead title="Monitoring">
        Recorded while the manager is running. Dashed lines mark starts, stops and crashes.
      </PageHead>
      <div>
        <SegmentedControl size="xs" aria-label="Period" value={hours} onChange={setHours} data={periods} />
      </div>
      <Loaded asked={monitoring} waitingFor="the recorded figures">
        {(data) => <Charts monitoring={data} />}
      </Loaded>
    </div>
  );
}

function Charts({ monitoring }: { monitoring: Monitoring }) {
  const { from, to, missing, lastSampleAt, intervalSeconds, retentionDays, servers } = monitoring;
  const period = { from: Date.parse(from), to: Date.parse(to) };
  const players =
    servers.length > 1
      ? serverChart(monitoring, wholeNumber, 'players')
      : machineChart(monitoring, wholeNumber, [
          { key: 'players', name: 'Players', of: (point) => point.players },
        ]);
  return (
    <>
      {missing.map((text) => (
        <Alert key={text} color="yellow" icon={<Icon name="warning" />} title="Some figures are missing">
          {text}
        </Alert>
      ))}
      {lastSampleAt === null && (
        <Alert color="blue" icon={<Icon name="info" />} title="Nothing is recorded yet">
          The first figures appear within {lengthOf(intervalSeconds)}.
        </Alert>
      )}
      <TimeChartCard title="Players" chart={{ ...players, isWhole: true }} {...period} />
      <TimeChartCard
        title="CPU of the virtual machine"
        chart={machineChart(monitoring, percentText, [
          { key: 'cpu', name: 'All processors', of: (point) => point.cpuPercent },
        ])}
        {...period}
      />
      <TimeChartCard
        title="Memory of the virtual machine"
        chart={machineChart(monitoring, gigabytesText, [
          { key: 'used', name: 'Used', of: (point) => point.memoryUsedGB },
          { key: 'total', name: 'Size', of: (point) => point.memoryTotalGB, isFaint: true },
        ])}
        {...period}
      />
      <TimeChartCard
        title="Disk of the virtual machine"
        chart={machineChart(monitoring, gigabytesText, [
          { key: 'used', name: 'Used', of: (point) => point.diskUsedGB },
          { key: 'total', name: 'Size', of: (point) => point.diskTotalGB, isFaint: true },
        ])}
        {...period}
      />
      <TimeChartCard
        title="Memory by map"
        chart={serverChart(monitoring, gigabytesText, 'memoryGB')}
        {...period}
      />
      <TimeChartCard
        title="CPU by map"
        lead="In processor cores: 1.5 is one and a half cores."
        chart={serverChart(monitoring, coresText, 'cpuCores')}
        {...period}
      />
      <Marks marks={monitoring.marks} />
      <p className="hint">
        A sample every {lengthOf(intervalSeconds).replace(/^an? /, '')}, kept for {retentionDays} days. Each
        point covers {lengthOf(monitoring.stepSeconds)}: the highest number of players, and means of the
        others.
      </p>
    </>
  );
}

const marks: Record<Schemas['MonitoringMark']['kind'], { text: string; tone: Tone }> = {
  machineStarted: { text: 'Started', tone: 'good' },
  machineStopped: { text: 'Stopped', tone: 'idle' },
  serverStarted: { text: 'Started', tone: 'good' },
  serverStopped: { text: 'Stopped', tone: 'idle' },
  serverRestarted: { text: 'Restarted', tone: 'busy' },
  serverCrashed: { text: 'Crashed', tone: 'bad' },
};

const maxShown = 50;

function Marks({ marks: found }: Pick<Monitoring, 'marks'>) {
  return (
    <Section title="Starts, stops and crashes">
      {found.length === 0 ? (
        <p className="hint">None in this period.</p>
      ) : (
        <>
          <ScrollingTable label="Starts, stops and crashes">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Time</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>Of</Table.Th>
                <Table.Th>Reason</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.slice(0, maxShown).map(({ at, kind, server, detail }, index) => (
                <Table.Tr key={`${at} ${kind} ${index}`}>
                  <Table.Td className="number moment">{timeOf(at)}</Table.Td>
                  <Table.Td>
                    <StateText tone={marks[kind].tone}>{marks[kind].text}</StateText>
                  </Table.Td>
                  <Table.Td>{server ?? 'Virtual machine'}</Table.Td>
                  <Table.Td>{detail ?? '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </ScrollingTable>
          {found.length > maxShown && (
            <p className="hint">
              These are the newest {maxShown} of {found.length}. Choose a shorter period to see others.
            </p>
          )}
        </>
      )}
    </Section>
  );
}

/** A length of time in words. */
function lengthOf(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
