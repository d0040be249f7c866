// Has the backups rotated that an instance has beyond its policy, as the job that does it.
import type { Contexts } from '../../context.ts';
import type { JobPayloads } from '../../queue/payloads.ts';

export class BackupRotation {
  readonly #contexts: Contexts;

  constructor(contexts: Contexts) {
    this.#contexts = contexts;
  }

  async rotate({ license_id, instance_id }: JobPayloads['rotate-backups']): Promise<void> {
    await this.#contexts.forJob('rotate-backups', license_id, (ctx) =>
      ctx.services.backups.rotate(ctx, instance_id),
    );
  }
}
