// The logs of the game servers and of what belongs to them, with a search.
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { ConsoleLines } from '@gantry/ui/console-lines.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { useLogSources, useServerLog, type LogRequest } from '../api/queries.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import classes from './server-logs.module.css';

export function ServerLogsPage() {
  const sources = useLogSources();
  return (
    <div className="stack">
      <PageHead title="Logs">
        Output of the game servers, as long as the virtual machine keeps it. Passwords and tokens are hidden.
      </PageHead>
      <Loaded asked={sources} waitingFor="the list of logs">
        {({ data }) =>
          data.length === 0 ? (
            <p className="hint">No game server is running. Logs appear here when the battlegroup starts.</p>
          ) : (
            <Search sources={data} />
          )
        }
      </Loaded>
    </div>
  );
}

const nameOf = ({ server, id, restarts }: Schemas['LogSource']): string =>
  `${server ?? id}${restarts > 0 ? ` (restarted ${restarts === 1 ? 'once' : `${restarts} times`})` : ''}`;

function Search({ sources }: { sources: readonly Schemas['LogSource'][] }) {
  const [sourceId, setSourceId] = useState(sources[0]?.id ?? '');
  const [search, setSearch] = useState('');
  const [isPrevious, setIsPrevious] = useState(false);
  const [asked, setAsked] = useState<LogRequest>({ sourceId, search: '', isPrevious: false });
  const log = useServerLog(asked);
  // A program that has ended meanwhile is no longer listed.
  const known = sources.some(({ id }) => id === sourceId) ? sourceId : (sources[0]?.id ?? '');
  const show = (change: Partial<LogRequest> = {}) => {
    const next = { sourceId: known, search: search.trim(), isPrevious, ...change };
    if (JSON.stringify(next) === JSON.stringify(asked)) void log.refetch();
    else setAsked(next);
  };
  const count = log.data?.lines.length ?? 0;
  return (
    <Section title="Log">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <div className="fields">
          <NativeSelect
            label="Log of"
            value={known}
            data={sources.map((source) => ({ value: source.id, label: nameOf(source) }))}
            onChange={({ currentTarget: { value } }) => {
              setSourceId(value);
              show({ sourceId: value });
            }}
          />
          <TextInput
            label="Search"
            placeholder="error"
            description="Searches the newest 50,000 lines."
            maxLength={200}
            value={search}
            onChange={({ currentTarget: { value } }) => setSearch(value)}
          />
        </div>
        <div className="actions">
          <Button type="submit" loading={log.isFetching} leftSection={<Icon name="restart" size={16} />}>
            {search.trim() === '' ? 'Show the newest lines' : 'Search'}
          </Button>
          <Checkbox
            label="Before the last restart, for example after a crash"
            checked={isPrevious}
            onChange={({ currentTarget: { checked } }) => {
              setIsPrevious(checked);
              show({ isPrevious: checked });
            }}
          />
        </div>
      </form>
      <ProblemAlert error={log.error} />
      <p className="hint" role="status">
        {log.data === undefined ? 'Reading …' : summaryOf(asked, count, log.data.isTruncated)}
      </p>
      <div className={classes.log}>
        <ConsoleLines
          key={JSON.stringify(asked)}
          lines={(log.data?.lines ?? []).map(({ at, text }, index) => ({
            key: index,
            at: at ?? '',
            stream: 'output',
            text,
          }))}
          label="Lines of the log"
          search={asked.search}
          placeholder={log.data === undefined ? '' : 'No lines.'}
        />
      </div>
    </Section>
  );
}

function summaryOf({ search, isPrevious }: LogRequest, count: number, isTruncated: boolean): string {
  const lines = count === 1 ? '1 line' : `${count} lines`;
  const which = search === '' ? lines : `${lines} with “${search}”`;
  const when = isPrevious ? ' from before the last restart' : '';
  return isTruncated ? `The newest ${which}${when}; there are earlier ones.` : `${which}${when}.`;
}
