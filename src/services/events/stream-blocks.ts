// Events as the blocks of text that an event stream consists of.
import { cursorOf, type Position } from '../../events/cursor.ts';
import { positionOfRow, type EventRow } from './index.ts';
import { viewEvent } from './view.ts';

/** Characters that are sent in one piece; a single event may be larger. */
const chunkLength = 65_536;

/** The events as text, in pieces that a slow reader does not have to hold in memory as a whole. */
export function* chunksOf(events: readonly EventRow[]): Generator<string, void> {
  let chunk = '';
  for (const event of events) {
    chunk += blockOf(event);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

export const block = (position: Position, event: string, data: object) =>
  `id: ${cursorOf(position)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Streams of a license share the events of the tail, so each is encoded once. */
const blocks = new WeakMap<EventRow, string>();

function blockOf(event: EventRow): string {
  const known = blocks.get(event);
  if (known !== undefined) return known;
  const made = block(positionOfRow(event), event.type, viewEvent(event));
  blocks.set(event, made);
  return made;
}
