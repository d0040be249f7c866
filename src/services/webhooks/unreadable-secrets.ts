// Finds webhooks whose secrets were encrypted with another key, and reports them to the operator.
import type { Logger } from 'pino';
import type { Queries } from '../../database/reader.ts';
import type { Metrics } from '../../process/metrics.ts';
import { paginate } from '../../lists/row-batches.ts';
import type { WebhookSecrets } from './secrets.ts';

interface SealedSecret {
  id: string;
  secret: Uint8Array;
}

export interface CheckParts {
  /** Runs `nextSecrets` on the webhooks of every license. */
  next: (last: SealedSecret | undefined, max: number) => Promise<SealedSecret[]>;
  webhookSecrets: WebhookSecrets;
  metrics: Metrics;
  log: Logger;
}

/** The secrets of the next webhooks, in the order of their ids. */
export function nextSecrets(
  queries: Queries,
  last: SealedSecret | undefined,
  max: number,
): Promise<SealedSecret[]> {
  const webhooks = queries.selectFrom('webhook').select(['id', 'secret']).orderBy('id').limit(max);
  return (last === undefined ? webhooks : webhooks.where('id', '>', last.id)).execute();
}

export async function reportUnreadableSecrets({
  next,
  webhookSecrets,
  metrics,
  log,
}: CheckParts): Promise<void> {
  let count = 0;
  for await (const { id, secret } of paginate(async () => undefined, next))
    if (!webhookSecrets.isReadable(secret, id)) count += 1;
  metrics.webhookSecretsUnreadable.set(count);
  if (count > 0)
    log.error(
      { webhooks: count },
      'webhook secrets are encrypted with another key: restore it in GANTRY_SEALING_SECRET, or have them rotated',
    );
}
