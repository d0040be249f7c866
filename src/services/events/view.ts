// An event as the API, the stream and webhooks give it.
import type { Schemas } from '../../platform-contract/types.ts';
import { cursorOfRow, type EventRow } from './index.ts';

export function viewEvent(event: EventRow): Schemas['Event'] {
  const { actor_kind: kind, actor_label: label } = event;
  return {
    id: event.id,
    cursor: cursorOfRow(event),
    type: event.type,
    occurred_at: event.occurred_at ?? event.recorded_at,
    recorded_at: event.recorded_at,
    license_id: event.license_id ?? '',
    is_test: event.is_sandbox ?? false,
    subject: { type: event.subject_type, id: event.subject_id },
    instance_id: event.instance_id,
    host_id: event.host_id,
    actor: kind === null || kind === 'anonymous' ? null : { kind, label },
    data: event.data,
  };
}
