// What the manager does by itself: schedules, the watchdog and notifications.
import { Alert, Button, Checkbox, Chip, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, useAutomation } from '../api/queries.ts';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { faultAt } from '../shared/faults.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useUnsaved } from '../shared/use-unsaved.ts';
import { AddressWatchSection } from './address-watch-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { WarningsSection } from './warnings-section.tsx';
import { WatchdogSection } from './watchdog-section.tsx';

type Settings = Schemas['Automation'];
type Schedule = Schemas['Schedule'];

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

const actions: Record<Schedule['action'], string> = {
  backup: 'Back up to this host',
  restart: 'Restart the battlegroup',
  update: 'Update the battlegroup',
};

export function AutomationPage() {
  const automation = useAutomation();
  return (
    <div className="stack">
      <PageHead title="Automation">
        Runs while the manager is running. Runs missed while this host was off or asleep are skipped.
      </PageHead>
      <Loaded asked={automation} waitingFor="the automation">
        {(found) => (
          <>
            <Form saved={found.automation} nextRuns={found.nextRuns} />
            <Events events={found.events} />
          </>
        )}
      </Loaded>
    </div>
  );
}

interface FormProps {
  saved: Settings;
  nextRuns: Schemas['NextRun'][];
}

function Form({ saved, nextRuns }: FormProps) {
  const [changed, setDraft] = useState<Settings | null>(null);
  const draft = changed ?? saved;
  const save = useAction((body: Settings) => bodyOf(api.PUT('/api/automation', { body })));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  useUnsaved(isChanged);
  const { schedules } = draft;
  const part = {
    draft,
    change: (changed: Partial<Settings>) => setDraft({ ...draft, ...changed }),
    error: save.error,
  };
  const change = (id: string, part: Partial<Schedule>) =>
    setDraft({
      ...draft,
      schedules: schedules.map((schedule) => (schedule.id === id ? { ...schedule, ...part } : schedule)),
    });
  const add = () =>
    setDraft({
      ...draft,
      schedules: [
        ...schedules,
        {
          id: crypto.randomUUID(),
          action: 'backup',
          time: '04:30',
          days: [0, 1, 2, 3, 4, 5, 6],
          isEnabled: true,
        },
      ],
    });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft, { onSuccess: () => setDraft(null) });
      }}
    >
      <Section
        title="Schedules"
        lead="Times are local to this host. Only scheduled backups are deleted automatically."
      >
        {schedules.length === 0 && <p className="hint">None yet.</p>}
        {schedules.map((schedule, index) => {
          const next = nextRuns.find(({ id }) => id === schedule.id);
          return (
            <fieldset key={schedule.id} className="plainFieldset">
              <legend className="visuallyHidden">{`Schedule ${index + 1}`}</legend>
              <div className="fields">
                <NativeSelect
                  label="Action"
                  value={schedule.action}
                  onChange={({ currentTarget }) =>
                    change(schedule.id, { action: currentTarget.value as Schedule['action'] })
                  }
                  data={Object.entries(actions).map(([value, label]) => ({ value, label }))}
                />
                <TextInput
                  type="time"
                  label="Time"
                  required
                  value={schedule.time}
                  onChange={({ currentTarget }) => change(schedule.id, { time: currentTarget.value })}
                  error={faultAt(save.error, `/schedules/${index}/time`)}
                />
              </div>
              <Chip.Group
                multiple
                value={schedule.days.map(String)}
                onChange={(chosen) => {
                  if (chosen.length > 0) change(schedule.id, { days: chosen.map(Number).toSorted() });
                }}
              >
                <Group gap="xs" mt="sm">
                  {days.map((day, number) => (
                    <Chip key={day} value={String(number)} size="xs" variant="outline">
                      {day}
                    </Chip>
                  ))}
                </Group>
              </Chip.Group>
              <Group gap="md" mt="sm">
                <Checkbox
                  label="On"
                  checked={schedule.isEnabled}
                  onChange={({ currentTarget }) => change(schedule.id, { isEnabled: currentTarget.checked })}
                />
                <Button
                  size="xs"
                  variant="default"
                  onClick={() =>
                    setDraft({ ...draft, schedules: schedules.filter(({ id }) => id !== schedule.id) })
                  }
                >
                  Remove
                </Button>
                {next !== undefined && (
                  <span className="hint">Next: {new Date(next.at).toLocaleString()}</span>
                )}
              </Group>
            </fieldset>
          );
        })}
        <div className="fields">
          <NumberInput
            mt="sm"
            label="Scheduled backups to keep"
            description="When there are more, the oldest is deleted."
            min={1}
            max={365}
            allowDecimal={false}
            clampBehavior="none"
            value={draft.keepBackups ?? ''}
            onChange={(value) => part.change({ keepBackups: Number(value) })}
            error={faultAt(save.error, '/keepBackups')}
          />
        </div>
        <div className="actions">
          <Button variant="default" disabled={schedules.length >= 20} onClick={add}>
            Add a schedule
          </Button>
        </div>
      </Section>
      <WarningsSection {...part} />
      <WatchdogSection {...part} />
      <AddressWatchSection {...part} />
      <NotificationsSection {...part} isChanged={isChanged} />
      <div className="actions">
        <Button type="submit" disabled={!isChanged} loading={save.isPending}>
          Save
        </Button>
        <Button
          variant="default"
          disabled={!isChanged}
          onClick={() => {
            setDraft(null);
            save.reset();
          }}
        >
          Undo
        </Button>
      </div>
      {save.isSuccess && !isChanged && (
        <Alert color="teal" role="status" title="Saved">
          The settings are in effect.
        </Alert>
      )}
      <ProblemAlert error={save.error} />
    </form>
  );
}

function Events({ events }: { events: readonly Schemas['AutomationEvent'][] }) {
  return (
    <Section title="What happened">
      {events.length === 0 ? (
        <p className="hint">Nothing yet.</p>
      ) : (
        <ul>
          {events.slice(0, 20).map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <span className="hint">{new Date(at).toLocaleString()}</span> {text}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
