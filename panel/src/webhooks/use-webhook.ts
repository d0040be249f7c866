// One webhook with its version, read while deliveries and replays change it.
import { useParams } from '@tanstack/react-router';
import type { ReadPath } from '../api/operations.ts';
import { useDocument } from '../api/reading.ts';

/** Events do not report deliveries and the progress of a replay. */
const everyMs = 3_000;

export function useWebhook() {
  const { webhookId } = useParams({ from: '/frame/licensed/webhooks/$webhookId' });
  return useDocument(
    '/api/webhooks/{webhook_id}',
    { params: { path: { webhook_id: webhookId } } },
    { every: everyMs },
  );
}

/** What a change of a webhook makes stale. */
export const webhookPaths: readonly ReadPath[] = [
  '/api/webhooks',
  '/api/webhooks/{webhook_id}',
  '/api/webhooks/{webhook_id}/deliveries',
];
