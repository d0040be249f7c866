// The program that writes Parquet files for the archive and ends with its parent: DuckDB's memory ends with it.
import { csvRows, openDuckdb, parquetFormat, quoted } from './duckdb.ts';

export interface ParquetTask {
  /** The text of COPY. */
  from: string;
  to: string;
  columns: Readonly<Record<string, string>>;
  memoryMb: number;
  directory: string;
}

export type ParquetOutcome = { rows: number } | { failure: string };

process.on('message', (task: ParquetTask) => {
  writeParquet(task).then(
    (rows) => reply({ rows }),
    (error: unknown) => reply({ failure: Error.isError(error) ? error.message : 'unknown' }),
  );
});
process.on('disconnect', () => process.exit(0));

const reply = (outcome: ParquetOutcome) => process.send?.(outcome);

/** Returns the number of rows, after comparing what the file contains with the text. */
async function writeParquet({ from, to, columns, ...limits }: ParquetTask): Promise<number> {
  const { connection, close } = await openDuckdb(limits);
  try {
    const text = csvRows(from, columns);
    await connection.run(`copy (select * from ${text}) to ${quoted(to)} ${parquetFormat}`);
    const [written, given] = [await contentOf(`read_parquet(${quoted(to)})`), await contentOf(text)];
    if (written.digest !== given.digest || written.rows !== given.rows)
      throw new Error(`the file has ${written.rows} rows, which are not the ${given.rows} given ones`);
    return written.rows;
  } finally {
    close();
  }

  async function contentOf(rows: string): Promise<{ rows: number; digest: string }> {
    const reader = await connection.runAndReadAll(
      `select count(*)::integer, coalesce(sum(hash(given)), 0)::varchar from (select * from ${rows}) as given`,
    );
    const [[count, digest] = []] = reader.getRowsJson();
    return { rows: Number(count), digest: JSON.stringify(digest) };
  }
}
