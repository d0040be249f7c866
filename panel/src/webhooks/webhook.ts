// A webhook, and what its last attempts say about it.
import type { Schemas } from '../api/operations.ts';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['WebhookDelivery'];
export type EventPattern = Schemas['EventPattern'];

export type WebhookState = 'working' | 'failing' | 'unused' | 'disabled' | 'stopped' | 'unreadable';

export function stateOf({ is_enabled, disabled_at, is_secret_readable, last_status }: Webhook): WebhookState {
  if (!is_secret_readable) return 'unreadable';
  if (!is_enabled) return disabled_at === null ? 'disabled' : 'stopped';
  if (last_status === null) return 'unused';
  return last_status === 'succeeded' ? 'working' : 'failing';
}
