// One entry of the calendar, which leads to its wipe or its schedule.
import { Link } from '@tanstack/react-router';
import { Check, CircleSlash, Loader, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useServerNames } from '../shared/server-names.ts';
import { iconOf } from '../schedules/schedule.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './calendar.module.css';
import type { Entry, EntryState } from './entries.ts';
import { useClock } from './use-clock.ts';

const outcomes: Record<Exclude<EntryState, 'planned'>, LucideIcon> = {
  good: Check,
  busy: Loader,
  bad: TriangleAlert,
  idle: CircleSlash,
};

export function EntryLink({ entry }: { entry: Entry }) {
  const t = useTexts('calendar');
  const wipes = useTexts('wipes');
  const clock = useClock();
  const { names } = useServerNames();
  const { kind, state, wipe, schedule, instanceId, count, atMs, untilMs, formerName } = entry;
  const Icon = state === 'planned' ? iconOf(kind) : outcomes[state];
  const name = wipe === undefined ? (schedule?.name ?? '') : wipes(`kinds.${wipe.kind}`);
  const server = (instanceId === null ? undefined : names.get(instanceId)) ?? formerName;
  const time = count === 1 ? clock(atMs) : `${clock(atMs)}–${clock(untilMs)}`;
  const words = [time, name, server, t(`states.${state}`)].filter((word) => word !== undefined).join(', ');
  const content = (
    <>
      <Icon size={13} aria-hidden="true" className={classes.entryIcon} />
      <span className={classes.entryTime} data-several={count > 1 || undefined}>
        {time}
      </span>
      <span className={classes.entryName}>
        {name}
        {count > 1 && <b> ×{count}</b>}
        {server !== undefined && <span className={classes.entryServer}> {server}</span>}
      </span>
      <span className="visuallyHidden">, {t(`states.${state}`)}</span>
    </>
  );
  const looks = { className: classes.entry, 'data-state': state, title: words };
  if (wipe !== undefined)
    return instanceId === null ? (
      <span {...looks}>{content}</span>
    ) : (
      <Link to="/servers/$instanceId/wipes/$wipeId" params={{ instanceId, wipeId: wipe.id }} {...looks}>
        {content}
      </Link>
    );
  return (
    <Link to="/schedules/$scheduleId" params={{ scheduleId: schedule?.id ?? '' }} {...looks}>
      {content}
    </Link>
  );
}
