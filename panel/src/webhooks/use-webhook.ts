// One webhook with its version, read while deliveries and replays change it.
import { useParams } from '@tanstack/react-router';
import type { ReadPath } from '../api/operations.ts';
import { useDocument } from '../api/reading.ts';

/** Events do not report deliveries and the progress of a replay. */
const replayingMs = 3_000;
const defaultMs = 15_000;

export function useWebhook() {
  const { webhookId } = useParams({ from: '/frame/licensed/webhooks/$webhookId' });
  const init = { params: { path: { webhook_id: webhookId } } };
  const isReplaying =
    useDocument('/api/webhooks/{webhook_id}', init).data?.document.replay?.finished_at === null;
  return useDocument('/api/webhooks/{webhook_id}', init, { every: isReplaying ? replayingMs : defaultMs });
}

/** What a change of a webhook makes stale. */
export const webhookPaths: readonly ReadPath[] = [
  '/api/webhooks',
  '/api/webhooks/{webhook_id}',
  '/api/webhooks/{webhook_id}/deliveries',
];
