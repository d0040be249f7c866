// Finds webhooks whose secrets were encrypted with another key, and reports them to the operator.
import type { Logger } from 'pino';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Metrics } from '../../process/metrics.ts';
import { paginate } from '../../lists/row-batches.ts';
import type { WebhookSecrets } from './secrets.ts';

export interface CheckParts {
  platform: PlatformScope;
  webhookSecrets: WebhookSecrets;
  metrics: Metrics;
  log: Logger;
}

export async function reportUnreadableSecrets({
  platform,
  webhookSecrets,
  metrics,
  log,
}: CheckParts): Promise<void> {
  let count = 0;
  for await (const { id, secret } of paginate(
    async () => undefined,
    (last: { id: string; secret: Uint8Array } | undefined, max) =>
      platform.read('health', (queries) => {
        const webhooks = queries.selectFrom('webhook').select(['id', 'secret']).orderBy('id').limit(max);
        return (last === undefined ? webhooks : webhooks.where('id', '>', last.id)).execute();
      }),
  ))
    if (!webhookSecrets.isReadable(secret, id)) count += 1;
  metrics.webhookSecretsUnreadable.set(count);
  if (count > 0)
    log.error(
      { webhooks: count },
      'webhook secrets are encrypted with another key: restore it in GANTRY_SEALING_SECRET, or have them rotated',
    );
}
