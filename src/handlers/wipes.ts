// Operations of the area `wipes`.
import type { Schemas } from '../platform-contract/types.ts';
import { Unkept } from '../contract/replies.ts';
import type { WipePlan, WipeRow } from '../services/wipes/index.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const wipes = {
  listWipes: async (ctx, { query }) => viewPage(await ctx.services.wipes.list(ctx, query), viewWipe),
  wipeInstance: async (ctx, { path, body }) =>
    body.dry_run === true
      ? new Unkept(async () => ({
          wipe: null,
          plan: viewPlan(await ctx.services.wipes.plan(ctx, path.instance_id, body)),
        }))
      : { wipe: viewWipe(await ctx.services.wipes.request(ctx, path.instance_id, body)), plan: null },
  getWipe: async (ctx, { path }) => viewWipe(await ctx.services.wipes.get(ctx, path.wipe_id)),
  cancelWipe: async (ctx, { path }) => viewWipe(await ctx.services.wipes.cancel(ctx, path.wipe_id)),
} satisfies Partial<Handlers>;

function viewWipe(wipe: WipeRow): Schemas['Wipe'] {
  return {
    id: wipe.id,
    instance_id: wipe.instance_id,
    instance_name: wipe.instance_name,
    kind: wipe.kind,
    seed: wipe.seed,
    world_size: wipe.world_size,
    map_id: wipe.map_id,
    countdown_seconds: wipe.countdown_seconds,
    message: wipe.message,
    backup: wipe.with_backup,
    start: wipe.with_start,
    status: wipe.status,
    detail: wipe.error_code === null ? wipe.detail : null,
    error: wipe.error_code === null ? null : { code: wipe.error_code, detail: wipe.detail ?? '' },
    due_at: wipe.due_at,
    file_count: wipe.file_count,
    deleted_bytes: wipe.deleted_bytes,
    command_id: wipe.command_id,
    requested_by: wipe.requested_by,
    cancel_requested_at: wipe.cancel_requested_at,
    created_at: wipe.created_at,
    begun_at: wipe.begun_at,
    finished_at: wipe.finished_at,
  };
}

function viewPlan(plan: WipePlan): Schemas['WipePlan'] {
  return {
    files: plan.files.map(({ path, size }) => ({ path, size })),
    total_bytes: plan.total_bytes,
    stops: plan.stops,
    starts: plan.starts,
    launch_before: viewLaunch(plan.launch_before),
    launch_after: viewLaunch(plan.launch_after),
    announcements: plan.announcements.map(({ before_seconds, text }) => ({ before_seconds, text })),
  };
}

function viewLaunch({ seed, world_size, level_url }: WipePlan['launch_after']): Schemas['LaunchParameters'] {
  return { seed, world_size, level_url };
}
