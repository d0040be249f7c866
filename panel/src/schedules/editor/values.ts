// What the editor of a schedule holds, and how it becomes the contract's document.
import type { Schemas } from '../../api/operations.ts';
import { sendable, type NumberValue } from '../../shared/number-text.ts';
import { firstPlan, lacksMap, planOf, scheduledWipeOf, type WipePlan } from '../../shared/wipe-plan.ts';
import { cronOf, patternOf, type Pattern } from '../cron-pattern.ts';
import type { Action, ActionKind, Schedule } from '../schedule.ts';
import { viewerZone } from '../zoned-times.ts';

/** The fields of every kind of action, so that another choice of the kind loses nothing. */
export interface ActionValues {
  kind: ActionKind;
  message: string;
  line: string;
  plugin: string;
  keepLast: NumberValue;
  /** One path a line; empty for the whole server. */
  paths: string;
  hasCountdown: boolean;
  announceBefore: readonly number[];
  countdownMessage: string;
  wipe: WipePlan;
}

export interface ScheduleValues {
  name: string;
  instanceId: string;
  /** More servers that get the same schedule when it is created. */
  alsoOn: readonly string[];
  action: ActionValues;
  pattern: Pattern;
  timeZone: string;
  missedRuns: Schemas['MissedRuns'];
  isEnabled: boolean;
}

const firstAction = (kind: ActionKind): ActionValues => ({
  kind,
  message: '',
  line: '',
  plugin: '',
  keepLast: 7,
  paths: '',
  hasCountdown: true,
  announceBefore: [900, 300, 60, 30, 10],
  countdownMessage: '',
  wipe: { ...firstPlan(), seed: '' },
});

export const firstValues = (instanceId: string, kind: ActionKind): ScheduleValues => ({
  name: '',
  instanceId,
  alsoOn: [],
  action: firstAction(kind),
  pattern:
    kind === 'wipe'
      ? { every: 'week', days: [4], hour: 19, minute: 0 }
      : { every: 'day', hour: 4, minute: 30 },
  timeZone: viewerZone(),
  missedRuns: 'skip',
  isEnabled: true,
});

export const valuesOf = (schedule: Schedule): ScheduleValues => ({
  name: schedule.name,
  instanceId: schedule.instance_id,
  alsoOn: [],
  action: actionValuesOf(schedule.action),
  pattern: patternOf(schedule.cron),
  timeZone: schedule.time_zone,
  missedRuns: schedule.missed_runs,
  isEnabled: schedule.is_enabled,
});

function actionValuesOf(action: Action): ActionValues {
  const first = firstAction(action.kind);
  switch (action.kind) {
    case 'announcement':
      return { ...first, message: action.message };
    case 'backup':
      return { ...first, keepLast: action.keep_last, paths: action.paths?.join('\n') ?? '' };
    case 'command':
      return { ...first, line: action.line };
    case 'plugin_reload':
      return { ...first, plugin: action.plugin };
    case 'restart':
    case 'stop': {
      const { countdown } = action;
      if (countdown === undefined) return { ...first, hasCountdown: false };
      const { announce_before_seconds, message = '' } = countdown;
      return { ...first, announceBefore: announce_before_seconds, countdownMessage: message };
    }
    case 'start':
      return first;
    case 'wipe':
      return { ...first, wipe: planOf(action.wipe) };
  }
}

export function actionOf(values: ActionValues): Action {
  const { kind } = values;
  switch (kind) {
    case 'announcement':
      return { kind, message: values.message.trim() };
    case 'backup': {
      const paths = linesOf(values.paths);
      return { kind, keep_last: sendable(values.keepLast), ...(paths.length > 0 && { paths }) };
    }
    case 'command':
      return { kind, line: values.line };
    case 'plugin_reload':
      return { kind, plugin: values.plugin.trim() };
    case 'restart':
    case 'stop': {
      const countdown = countdownOf(values);
      return { kind, ...(countdown !== null && { countdown }) };
    }
    case 'start':
      return { kind };
    case 'wipe':
      return { kind, wipe: scheduledWipeOf(values.wipe) };
  }
}

/** The announcements before a restart or a stop; null without any. */
export function countdownOf(values: ActionValues): Schemas['ScheduleCountdown'] | null {
  const { kind, hasCountdown, announceBefore, countdownMessage } = values;
  if ((kind !== 'restart' && kind !== 'stop') || !hasCountdown || announceBefore.length === 0) return null;
  const message = countdownMessage.trim();
  return { announce_before_seconds: [...announceBefore], ...(message !== '' && { message }) };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const documentOf = (values: ScheduleValues) => ({
  name: values.name.trim(),
  action: actionOf(values.action),
  cron: cronOf(values.pattern),
  time_zone: values.timeZone,
  missed_runs: values.missedRuns,
  is_enabled: values.isEnabled,
});

/** Whether something is missing that the platform could only refuse. */
export function isIncomplete({ name, instanceId, action, pattern }: ScheduleValues): boolean {
  const { kind, message, line, plugin, keepLast, wipe } = action;
  return (
    name.trim() === '' ||
    instanceId === '' ||
    (kind === 'announcement' && message.trim() === '') ||
    (kind === 'command' && line.trim() === '') ||
    (kind === 'plugin_reload' && plugin.trim() === '') ||
    (kind === 'backup' && typeof keepLast !== 'number') ||
    (kind === 'wipe' && lacksMap(wipe)) ||
    (pattern.every === 'week' && pattern.days.length === 0)
  );
}
