// Finds webhooks whose secrets were encrypted with another key, and reports them to the operator.
import type { Logger } from 'pino';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Metrics } from '../../process/metrics.ts';
import { paginate } from '../../lists/row-batches.ts';
import type { WebhookSecrets } from './secrets.ts';

export interface LookParts {
  platform: PlatformScope;
  webhookSecrets: WebhookSecrets;
  metrics: Metrics;
  log: Logger;
}

export async function tellUnreadableSecrets({
  platform,
  webhookSecrets,
  metrics,
  log,
}: LookParts): Promise<void> {
  let count = 0;
  for await (const { id, secret } of paginate(
    async () => undefined,
    (last: { id: string; secret: Uint8Array } | undefined, most) =>
      platform.read('health', (queries) => {
        const webhooks = queries.selectFrom('webhook').select(['id', 'secret']).orderBy('id').limit(most);
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
