// Uploads and downloads of this tab: a few at a time, with progress, until they are done or cancelled.
import { useSyncExternalStore } from 'react';
import { hasCode } from '../../api/problem.ts';
import { beforeLeaving } from '../../session/drafts.ts';
import { keepTransfers, takeKeptTransfers } from './kept-transfers.ts';

/** `interrupted`: the page was left meanwhile, and the browser has let go of the file. */
export type TransferState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

export interface Transfer {
  id: number;
  direction: 'upload' | 'download';
  name: string;
  /** Where it goes or comes from, such as the name of a server. */
  place: string;
  /** The address of the page that has started it. */
  startedAt: string;
  bytes: number;
  /** Null for a download whose length is not known yet. */
  totalBytes: number | null;
  state: TransferState;
  error: Error | null;
  /** Whether the only objection is that there is such a file already. */
  isTaken: boolean;
}

export interface TransferRun {
  onProgress: (bytes: number, totalBytes?: number) => void;
  signal: AbortSignal;
  /** Whether an existing file is replaced, which the user has confirmed. */
  replaces: boolean;
}

export interface TransferRequest extends Pick<Transfer, 'direction' | 'name' | 'place' | 'totalBytes'> {
  run: (run: TransferRun) => Promise<void>;
}

/** What is kept of a transfer besides what is shown. */
interface Work {
  request: TransferRequest;
  replaces: boolean;
  left: AbortController;
}

const maxParallel = 3;
/** Progress is reported for every few kilobytes. */
const showEveryMs = 100;

let shown: readonly Transfer[] = [];
let lastId = 0;
let runningCount = 0;
const works = new Map<number, Work>();
const listeners = new Set<() => void>();

function show(next: readonly Transfer[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

const change = (id: number, part: Partial<Transfer>): void =>
  show(shown.map((transfer) => (transfer.id === id ? { ...transfer, ...part } : transfer)));

export const useTransfers = (): readonly Transfer[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );

export function startTransfer(request: TransferRequest): void {
  const { direction, name, place, totalBytes } = request;
  lastId += 1;
  works.set(lastId, { request, replaces: false, left: new AbortController() });
  const startedAt = `${window.location.pathname}${window.location.search}`;
  const fresh = { startedAt, bytes: 0, state: 'waiting', error: null, isTaken: false } as const;
  show([...shown, { id: lastId, direction, name, place, totalBytes, ...fresh }]);
  runNext();
}

export function cancelTransfer(id: number): void {
  const transfer = shown.find((each) => each.id === id);
  works.get(id)?.left.abort();
  if (transfer?.state === 'waiting') change(id, { state: 'cancelled' });
}

export function repeatTransfer(id: number, replaces: boolean): void {
  const work = works.get(id);
  if (work === undefined) return;
  works.set(id, { ...work, replaces, left: new AbortController() });
  change(id, { state: 'waiting', bytes: 0, error: null, isTaken: false });
  runNext();
}

const isAtWork = ({ state }: Transfer): boolean => state === 'waiting' || state === 'running';

export const activeTransfers = (transfers: readonly Transfer[]): Transfer[] => transfers.filter(isAtWork);

/** Removes what has ended from the list. */
export function clearTransfers(): void {
  for (const { id } of shown.filter((transfer) => !isAtWork(transfer))) works.delete(id);
  show(shown.filter(isAtWork));
}

/** Shows what the former page of this tab was working on when it was left. */
export function showInterrupted(): void {
  const interrupted = takeKeptTransfers().map((kept): Transfer => {
    lastId += 1;
    return { ...kept, id: lastId, state: 'interrupted', error: null, isTaken: false };
  });
  if (interrupted.length > 0) show([...interrupted, ...shown]);
}

const keep = (): void =>
  keepTransfers(shown.filter((each) => isAtWork(each) || each.state === 'interrupted'));

/** Nothing that another user or another license began is shown or sent. */
beforeLeaving(() => {
  keep();
  for (const { left } of works.values()) left.abort();
  works.clear();
  show([]);
});

/** A reload keeps the tab but not its transfers; phones discard hidden tabs without further notice. */
export function keepWhenLeft(): () => void {
  const keepIfHidden = () => {
    if (document.visibilityState === 'hidden') keep();
  };
  window.addEventListener('pagehide', keep);
  document.addEventListener('visibilitychange', keepIfHidden);
  return () => {
    window.removeEventListener('pagehide', keep);
    document.removeEventListener('visibilitychange', keepIfHidden);
  };
}

export function dismissTransfer(id: number): void {
  works.delete(id);
  show(shown.filter((transfer) => transfer.id !== id));
}

function runNext(): void {
  while (runningCount < maxParallel) {
    const next = shown.find(({ state }) => state === 'waiting');
    const work = works.get(next?.id ?? 0);
    if (next === undefined || work === undefined) return;
    runningCount += 1;
    change(next.id, { state: 'running' });
    void carryOut(next.id, work).finally(() => {
      runningCount -= 1;
      runNext();
    });
  }
}

async function carryOut(id: number, { request, replaces, left: { signal } }: Work): Promise<void> {
  let shownAt = 0;
  try {
    await request.run({
      signal,
      replaces,
      onProgress: (bytes, totalBytes) => {
        if (Date.now() - shownAt < showEveryMs) return;
        shownAt = Date.now();
        change(id, { bytes, ...(totalBytes !== undefined && { totalBytes }) });
      },
    });
    change(id, { state: 'done' });
  } catch (error) {
    if (signal.aborted) change(id, { state: 'cancelled' });
    else change(id, { state: 'failed', error: error as Error, isTaken: hasCode(error, 'file_exists') });
  }
}
