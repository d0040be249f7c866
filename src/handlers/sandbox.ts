// Operations of the area `sandbox`.
import type { Schemas } from '../platform-contract/types.ts';
import type { Advance } from '../services/sandbox/clock.ts';
import type { SimulatedEvent } from '../services/sandbox/events.ts';
import type { CreatedSandbox, SandboxRow } from '../services/sandbox/index.ts';
import type { Handlers } from './handlers.ts';
import { viewPurchase } from './public-store.ts';

export const sandbox = {
  createSandbox: async (ctx, { body }) => viewCreated(await ctx.services.sandboxes.create(body)),
  getSandbox: async (ctx) => viewSandbox(await ctx.services.sandboxes.get(ctx)),
  deleteSandbox: async (ctx) => ctx.services.sandboxes.delete(ctx),
  resetSandbox: async (ctx, { body }) => viewSandbox(await ctx.services.sandboxes.reset(ctx, body)),
  advanceSandboxClock: async (ctx, { body }) =>
    viewAdvance(await ctx.services.sandboxClocks.advance(ctx, body)),
  simulateSandboxEvent: async (ctx, { body }) =>
    viewSimulatedEvent(await ctx.services.sandboxEvents.simulate(ctx, body)),
} satisfies Partial<Handlers>;

const viewSimulatedEvent = ({
  kind,
  at,
  player,
  purchase,
  silentUntil,
}: SimulatedEvent): Schemas['SandboxEventResult'] => ({
  kind,
  at: at.toISOString(),
  player,
  order: purchase === null ? null : viewPurchase(purchase),
  silent_until: silentUntil?.toISOString() ?? null,
});

const viewAdvance = ({ clock, isComplete, moments }: Advance): Schemas['SandboxClockResult'] => ({
  clock: viewClock(clock),
  is_complete: isComplete,
  moments: moments.map(({ at, kind, id }) => ({ at, kind, id })),
});

const viewClock = ({
  now,
  clock_offset_ms,
}: Pick<SandboxRow, 'now' | 'clock_offset_ms'>): Schemas['SandboxClock'] => ({
  now: now.toISOString(),
  offset_seconds: Math.floor(clock_offset_ms / 1_000),
});

function viewSandbox(row: SandboxRow): Schemas['Sandbox'] {
  return {
    license_id: row.license_id,
    name: row.name,
    subdomain: row.subdomain,
    seed: row.seed,
    clock: viewClock(row),
    created_at: row.created_at,
    reset_at: row.reset_at,
    expires_at: row.expires_at,
  };
}

function viewCreated({ sandbox: row, licenseKey, apiKey, owner }: CreatedSandbox): Schemas['CreatedSandbox'] {
  return {
    ...viewSandbox(row),
    license_key: licenseKey,
    api_key: apiKey,
    owner: { email: owner.email, password: owner.password },
  };
}
