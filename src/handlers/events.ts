// Operations of the area `events`.
import { eventTypes } from '../platform-contract/events.ts';
import type { Schemas } from '../platform-contract/types.ts';
import { viewEvent } from '../services/events/view.ts';
import type { EventTypeRow } from '../services/events/index.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const events = {
  listEvents: async (ctx, { query }) => {
    const page = await ctx.services.events.list(ctx, query);
    return { ...viewPage(page, viewEvent), stream_cursor: page.streamCursor };
  },
  listEventTypes: async (ctx) => ({ data: ctx.services.events.listTypes(ctx).map(viewType), samples }),
  streamEvents: async (ctx, { query, headers }) =>
    ctx.services.eventStreams.open(ctx, query, headers['last-event-id']),
  getEvent: async (ctx, { path }) => viewEvent(await ctx.services.events.get(ctx, path.event_id)),
} satisfies Partial<Handlers>;

const samples = Object.fromEntries(
  Object.entries(eventTypes).map(([type, { example }]) => [type, example]),
) as Schemas['EventData'];

function viewType(entry: EventTypeRow): Schemas['EventTypeEntry'] {
  return {
    type: entry.type,
    summary: entry.summary,
    sentence: entry.sentence,
    subject: entry.subject,
    permission: entry.permission,
    can_read: entry.canRead,
  };
}
