// Reads many rows a few at a time, so that no transaction stays open while somebody takes them.

const rowsAtOnce = 1_000;

/** Every row that `read` finds after the one before; `mayGoOn` throws once the reader may not have them any more. */
export async function* rowsInTurn<Row>(
  mayGoOn: () => Promise<void>,
  read: (last: Row | undefined, count: number) => Promise<Row[]>,
  atOnce = rowsAtOnce,
): AsyncGenerator<Row> {
  let rows: Row[] = [];
  do {
    await mayGoOn();
    rows = await read(rows.at(-1), atOnce);
    yield* rows;
  } while (rows.length === atOnce);
}
