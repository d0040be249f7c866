// Loads lines into a table by COPY.
import type pg from 'pg';

interface Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `target` is a table with its columns; each line has its fields between tabs. */
export function copyLines(client: pg.Client, target: string, lines: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  client.query({
    submit: (connection: Connection) => connection.query(`copy ${target} from stdin`),
    handleCopyInResponse: (connection: Connection) => {
      connection.sendCopyFromChunk(Buffer.from(`${lines.join('\n')}\n`));
      connection.endCopyFrom();
    },
    handleCommandComplete: () => undefined,
    handleError: reject,
    handleReadyForQuery: () => resolve(undefined),
  } as unknown as pg.Submittable);
  return promise;
}
