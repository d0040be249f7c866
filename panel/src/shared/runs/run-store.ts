// The same request for each of many servers: what was requested, and what was not yet when the page was left.

export interface RunItem {
  instanceId: string;
  name: string;
  /** Its idempotency key, stored before the first attempt: a second attempt under it is not carried out again. */
  key: string;
  /** What the platform accepted: the ID of a command or of an application. */
  acceptedId?: string;
  /** Why the platform refused. */
  refusal?: string;
  /** Whether there is nothing to do for it. */
  isCurrent?: boolean;
}

export type RunOutcome = Pick<RunItem, 'acceptedId' | 'refusal' | 'isCurrent'>;

export interface Run<Item extends RunItem = RunItem> {
  id: string;
  startedAt: string;
  items: readonly Item[];
}

export const isRequested = ({ acceptedId, refusal, isCurrent }: RunItem): boolean =>
  acceptedId !== undefined || refusal !== undefined || isCurrent === true;

const isIncomplete = ({ items }: Run): boolean => !items.every(isRequested);

export interface RunsState<R extends Run> {
  runs: readonly R[];
  /** IDs of the runs that this page is requesting now. */
  requesting: ReadonlySet<string>;
}

export interface RunWork {
  /** False once the run was closed, or this tab continues as another user or in another license. */
  isWanted: () => boolean;
  record: (instanceId: string, outcome: RunOutcome) => void;
}

/** Must not throw. What it does not record can be requested again. */
export type RunRequest<R extends Run> = (run: R, items: R['items'], work: RunWork) => Promise<void>;

export interface RunKeeping {
  /** Where the runs of the user in their license are kept; null while there is no user. */
  key: () => string | null;
  read: (key: string) => string | null;
  /** Null removes them. */
  write: (key: string, text: string | null) => void;
}

/** Outcomes of so many milliseconds are shown and stored together. */
const gatherMs = 100;

export class RunStore<R extends Run> {
  #key: string | null = null;
  #state: RunsState<R> = nothing();
  #gathered = new Map<string, RunOutcome>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #keeping: RunKeeping;
  readonly #request: RunRequest<R>;

  constructor(keeping: RunKeeping, request: RunRequest<R>) {
    this.#keeping = keeping;
    this.#request = request;
  }

  /** The runs of the current user in their license. */
  get state(): RunsState<R> {
    const key = this.#keeping.key();
    if (key !== this.#key) {
      this.#drop();
      this.#key = key;
      const text = key === null ? null : this.#keeping.read(key);
      if (text !== null) this.#state = { ...this.#state, runs: JSON.parse(text) as R[] };
    }
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Replaces earlier runs, unless some of their servers are still not requested. */
  start(run: R): Promise<void> {
    const { runs, requesting } = this.state;
    this.#set({ runs: [...runs.filter(isIncomplete), run], requesting });
    this.#store();
    return this.proceed(run.id);
  }

  /** Requests what is not requested yet. */
  async proceed(id: string): Promise<void> {
    const { runs, requesting } = this.state;
    const run = runs.find((each) => each.id === id);
    if (run === undefined || requesting.has(id)) return;
    const ofThisWork = new Set([...requesting, id]);
    this.#set({ runs, requesting: ofThisWork });
    const key = this.#key;
    const isWanted = () => this.#keeping.key() === key && this.#state.requesting.has(id);
    await this.#request(
      run,
      run.items.filter((item) => !isRequested(item)),
      {
        isWanted,
        record: (instanceId, outcome) => {
          if (isWanted()) this.#gather(`${id}/${instanceId}`, outcome);
        },
      },
    );
    this.flush();
    if (isWanted()) this.#set({ ...this.#state, requesting: without(this.#state.requesting, id) });
  }

  close(id: string): void {
    const { runs, requesting } = this.state;
    this.#set({ runs: runs.filter((run) => run.id !== id), requesting: without(requesting, id) });
    this.#store();
  }

  /** Shows and stores the outcomes that were gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const outcomes = this.#gathered;
    if (outcomes.size === 0) return;
    this.#gathered = new Map();
    this.#set({
      ...this.#state,
      runs: this.#state.runs.map((run) => ({
        ...run,
        items: run.items.map((item) => ({ ...item, ...outcomes.get(`${run.id}/${item.instanceId}`) })),
      })),
    });
    this.#store();
  }

  /** Stops what is under way; what was stored stays where it is. */
  forget(): void {
    this.#drop();
    // The session changes in the same step; a listener that looks at once would read the former user's runs again.
    queueMicrotask(() => this.#set(this.#state));
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = new Map();
    this.#key = null;
    this.#state = nothing();
  }

  #gather(place: string, outcome: RunOutcome): void {
    this.#gathered.set(place, outcome);
    this.#timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  #store(): void {
    // Another user's storage is not for these runs.
    if (this.#key === null || this.#keeping.key() !== this.#key) return;
    const { runs } = this.#state;
    this.#keeping.write(this.#key, runs.length === 0 ? null : JSON.stringify(runs));
  }

  #set(state: RunsState<R>): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const nothing = () => ({ runs: [], requesting: new Set<string>() });

const without = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...ids].filter((each) => each !== id));
