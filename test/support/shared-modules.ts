// Modules that are loaded once in each worker, outside the sandbox of a suite (environment.js).

interface SharedRealm {
  importShared: (url: string) => Promise<unknown>;
  sharedDate: DateConstructor;
}

const realm = globalThis as unknown as SharedRealm;

/** The module as Node loads it. All suites of the worker share its code and its compiled validators. */
export async function importShared<Module>(path: string): Promise<Module> {
  return (await realm.importShared(new URL(path, import.meta.url).href)) as Module;
}

/** Runs the work while the clock of the shared modules shows that time. */
export async function atTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const { now } = realm.sharedDate;
  realm.sharedDate.now = () => milliseconds;
  try {
    return await work();
  } finally {
    realm.sharedDate.now = now;
  }
}
