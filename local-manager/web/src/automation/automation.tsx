// What the manager does by itself: schedules, the watchdog and notifications.
import { Button, Checkbox, Chip, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, useAutomation } from '../api/queries.ts';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { faultAt } from '../shared/faults.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useUnsaved } from '../shared/use-unsaved.ts';

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
        It works while the manager runs. A time that passed while this host was off or asleep is left out.
      </PageHead>
      <Loaded asked={automation} waitingFor="the automation">
        {(found) => (
          <>
            <Form key={JSON.stringify(found.automation)} saved={found.automation} nextRuns={found.nextRuns} />
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
  const [draft, setDraft] = useState(saved);
  const save = useAction((body: Settings) => bodyOf(api.PUT('/api/automation', { body })));
  const test = useAction(() => bodyOf(api.POST('/api/automation/test-notification')));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  useUnsaved(isChanged);
  const { schedules, watchdog, notifications } = draft;
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
        save.mutate(draft);
      }}
    >
      <Section
        title="Schedules"
        lead="Scheduled backups replace the oldest scheduled one above 14. Players are not warned in the game: no known package has a command for that."
      >
        {schedules.length === 0 && <p className="hint">There are none yet.</p>}
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
                    <Chip key={day} value={String(number)} size="xs">
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
        <div className="actions">
          <Button variant="default" disabled={schedules.length >= 20} onClick={add}>
            Add a schedule
          </Button>
        </div>
      </Section>
      <Section
        title="Watchdog"
        lead="Restarts a battlegroup that should run and is not reachable. It does nothing while the battlegroup is stopped or cannot be asked."
      >
        <Checkbox
          label="Watch the battlegroup"
          checked={watchdog.isEnabled}
          onChange={({ currentTarget }) =>
            setDraft({ ...draft, watchdog: { ...watchdog, isEnabled: currentTarget.checked } })
          }
        />
        <div className="fields">
          <NumberInput
            label="Minutes until a restart"
            min={2}
            max={120}
            allowDecimal={false}
            value={watchdog.afterMinutes}
            onChange={(value) =>
              setDraft({ ...draft, watchdog: { ...watchdog, afterMinutes: Number(value) } })
            }
            error={faultAt(save.error, '/watchdog/afterMinutes')}
          />
          <NumberInput
            label="Restarts within an hour"
            description="After that it only notifies."
            min={1}
            max={12}
            allowDecimal={false}
            value={watchdog.maxRestartsPerHour}
            onChange={(value) =>
              setDraft({ ...draft, watchdog: { ...watchdog, maxRestartsPerHour: Number(value) } })
            }
            error={faultAt(save.error, '/watchdog/maxRestartsPerHour')}
          />
        </div>
      </Section>
      <Section
        title="Notifications"
        lead="Failures, restarts of the watchdog and schedules that were left out."
      >
        <div className="fields">
          <TextInput
            type="url"
            label="Chat webhook"
            description="As Discord has them."
            maxLength={500}
            value={notifications.webhookUrl ?? ''}
            onChange={({ currentTarget }) =>
              setDraft({
                ...draft,
                notifications: { ...notifications, webhookUrl: currentTarget.value.trim() || null },
              })
            }
            error={faultAt(save.error, '/notifications/webhookUrl')}
          />
          <TextInput
            type="url"
            label="Topic of ntfy"
            placeholder="https://ntfy.sh/my-sietch"
            maxLength={500}
            value={notifications.ntfyUrl ?? ''}
            onChange={({ currentTarget }) =>
              setDraft({
                ...draft,
                notifications: { ...notifications, ntfyUrl: currentTarget.value.trim() || null },
              })
            }
            error={faultAt(save.error, '/notifications/ntfyUrl')}
          />
        </div>
        <div className="actions">
          <Button
            variant="default"
            disabled={isChanged || (notifications.webhookUrl === null && notifications.ntfyUrl === null)}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            Send a test
          </Button>
        </div>
        {test.data?.data.map(({ text, at }) => (
          <p key={`${at} ${text}`} className="hint" role="status">
            {text}
          </p>
        ))}
        <ProblemAlert error={test.error} />
      </Section>
      <div className="actions">
        <Button type="submit" disabled={!isChanged} loading={save.isPending}>
          Save
        </Button>
        <Button variant="default" disabled={!isChanged} onClick={() => setDraft(saved)}>
          Undo
        </Button>
      </div>
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
