// Operations of the area `schedules`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { Announcement } from '../services/schedules/countdown.ts';
import type { SchedulePreview } from '../services/schedules/preview.ts';
import type { ScheduleRow, ScheduleRunRow } from '../services/schedules/index.ts';
import { viewOutcome } from './commands.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const schedules = {
  listSchedules: async (ctx, { query }) =>
    viewPage(await ctx.services.schedules.list(ctx, query), viewSchedule),
  createSchedule: async (ctx, { body }) => viewVersioned(await ctx.services.schedules.create(ctx, body)),
  previewSchedule: async (ctx, { query }) => viewPreview(await ctx.services.schedules.preview(ctx, query)),
  getSchedule: async (ctx, { path }) =>
    viewVersioned(await ctx.services.schedules.get(ctx, path.schedule_id)),
  updateSchedule: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(await ctx.services.schedules.update(ctx, path.schedule_id, expectedVersions, body)),
  deleteSchedule: async (ctx, { path, expectedVersions }) =>
    ctx.services.schedules.delete(ctx, path.schedule_id, expectedVersions),
  toggleSchedule: async (ctx, { path, expectedVersions }) =>
    viewVersioned(await ctx.services.schedules.toggle(ctx, path.schedule_id, expectedVersions)),
  listScheduleRuns: async (ctx, { path, query }) =>
    viewPage(await ctx.services.schedules.listRuns(ctx, path.schedule_id, query), viewRun),
  runSchedule: async (ctx, { path }) => viewRun(await ctx.services.schedules.runNow(ctx, path.schedule_id)),
} satisfies Partial<Handlers>;

const viewVersioned = (schedule: ScheduleRow) => new Versioned(viewSchedule(schedule), schedule.version);

const viewTime = (time: Date) => time.toISOString();

const viewAnnouncement = ({ at, runAt, text }: Announcement): Schemas['ScheduledAnnouncement'] => ({
  at: viewTime(at),
  run_at: viewTime(runAt),
  text,
});

const viewPreview = ({ runs, announcements }: SchedulePreview): Schemas['SchedulePreview'] => ({
  next_runs: runs.map(viewTime),
  announcements: announcements.map(viewAnnouncement),
});

function viewSchedule(schedule: ScheduleRow): Schemas['Schedule'] {
  return {
    id: schedule.id,
    instance_id: schedule.instance_id,
    name: schedule.name,
    action: schedule.action,
    cron: schedule.cron,
    time_zone: schedule.time_zone,
    missed_runs: schedule.missed_runs,
    is_enabled: schedule.is_enabled,
    next_runs: schedule.next_runs.map(viewTime),
    next_announcements: schedule.next_announcements.map(viewAnnouncement),
    created_by: schedule.created_by,
    version: schedule.version,
    created_at: schedule.created_at,
  };
}

function viewRun(run: ScheduleRunRow): Schemas['ScheduleRun'] {
  return {
    id: run.id,
    schedule_id: run.schedule_id,
    due_at: run.due_at,
    status: run.status,
    ...viewOutcome(run),
    command_id: run.command_id,
    requested_by: run.requested_by,
    created_at: run.created_at,
    finished_at: run.finished_at,
  };
}
