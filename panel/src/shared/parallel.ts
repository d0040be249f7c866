// The same for each of many, a few at a time.

const maxParallel = 6;

/** `work` must not throw: what becomes of one does not stop the others. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const take = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: maxParallel }, take));
}
