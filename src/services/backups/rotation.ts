// The job that rotates the backups of an instance beyond its policy.
import type { Contexts } from '../../context.ts';
import type { JobPayloads } from '../../queue/payloads.ts';
import type { Backups } from './index.ts';

export class BackupRotation {
  readonly #contexts: Contexts;
  readonly #backups: Backups;

  constructor(contexts: Contexts, backups: Backups) {
    this.#contexts = contexts;
    this.#backups = backups;
  }

  async rotate({ license_id, instance_id }: JobPayloads['rotate-backups']): Promise<void> {
    await this.#contexts.forJob('rotate-backups', license_id, (ctx) =>
      this.#backups.rotate(ctx, instance_id),
    );
  }
}
