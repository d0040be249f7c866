// Reads many rows in batches, so that no transaction stays open while a client consumes them.

const rowsAtOnce = 1_000;

/** Yields every row of successive calls of `read`; `checkAccess` throws once the caller has lost access. */
export async function* paginate<Row>(
  checkAccess: () => Promise<void>,
  read: (last: Row | undefined, count: number) => Promise<Row[]>,
  atOnce = rowsAtOnce,
): AsyncGenerator<Row> {
  let rows: Row[] = [];
  do {
    await checkAccess();
    rows = await read(rows.at(-1), atOnce);
    yield* rows;
  } while (rows.length === atOnce);
}
