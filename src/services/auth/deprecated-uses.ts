// Counts the calls of deprecated operations by API key. Requests do not wait: counts are added up and written in batches.
import type { Logger } from 'pino';
import type { PlatformScope } from '../../database/platform-scope.ts';

const flushAfterMs = 1_000;

interface Use {
  apiKeyId: string;
  operation: string;
  count: number;
  lastUsedAt: Date;
}

export class DeprecatedUses {
  readonly #platform: PlatformScope;
  readonly #log: Logger;
  #pending = new Map<string, Use>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(platform: PlatformScope, log: Logger) {
    this.#platform = platform;
    this.#log = log;
  }

  record(apiKeyId: string, operation: string): void {
    this.#add({ apiKeyId, operation, count: 1, lastUsedAt: new Date() });
  }

  /** Writes what is counted. A process that is killed loses the counts of a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#flush();
    await this.#writing;
  }

  #add(use: Use): void {
    const id = `${use.apiKeyId} ${use.operation}`;
    const known = this.#pending.get(id);
    if (known === undefined) this.#pending.set(id, use);
    else {
      known.count += use.count;
      if (use.lastUsedAt > known.lastUsedAt) known.lastUsedAt = use.lastUsedAt;
    }
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#flush(), flushAfterMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#pending.values()];
    if (uses.length === 0) return;
    this.#pending = new Map();
    this.#writing = this.#writing.then(() => this.#write(uses));
  }

  /** After a failure the counts are written again, together with later ones. */
  async #write(uses: Use[]): Promise<void> {
    try {
      await this.#platform.transact('sign-in', (em) =>
        // Rows are locked in one order, so that replicas do not deadlock. A key that was deleted is not counted.
        em.execute(
          `insert into api_key_deprecated_use as known (license_id, api_key_id, operation, count, last_used_at)
           select license_id, id, operation, used.count, used.last_used_at
           from jsonb_to_recordset(?::jsonb)
             as used (api_key_id uuid, operation text, count bigint, last_used_at timestamptz)
           join api_key on api_key.id = used.api_key_id
           order by license_id, id, operation
           on conflict (license_id, api_key_id, operation) do update
           set count = known.count + excluded.count,
             last_used_at = greatest(known.last_used_at, excluded.last_used_at)`,
          [
            JSON.stringify(
              uses.map(({ apiKeyId, operation, count, lastUsedAt }) => ({
                api_key_id: apiKeyId,
                operation,
                count,
                last_used_at: lastUsedAt,
              })),
            ),
          ],
        ),
      );
    } catch (error) {
      this.#log.warn({ err: error }, 'the use of deprecated operations could not be recorded');
      for (const use of uses) this.#add(use);
    }
  }
}
