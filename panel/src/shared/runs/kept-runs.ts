// Runs of this tab: kept over a reload, guarded against closing the tab, and dropped when their user leaves.
import { useSyncExternalStore } from 'react';
import { beforeLeaving } from '../../session/drafts.ts';
import { session } from '../../session/session.ts';
import { draftKey, readTabDraft, writeTabDraft } from '../draft-storage.ts';
import { RunStore, type Run, type RunRequest, type RunsState } from './run-store.ts';

export function keptRuns<R extends Run>(name: string, request: RunRequest<R>): RunStore<R> {
  const store = new RunStore<R>(
    {
      // A tab that was moved to another user or license requests nothing of the former one.
      key: () => (session.userId === null || session.phase === 'moved' ? null : draftKey('runs', name)),
      read: readTabDraft,
      write: writeTabDraft,
    },
    request,
  );
  beforeLeaving(() => store.forget());
  guardClosing(store);
  return store;
}

/** A closed tab would request nothing for the rest of the servers. */
function guardClosing<R extends Run>(store: RunStore<R>): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  const keep = () => store.flush();
  store.subscribe(() => {
    const change = store.state.requesting.size > 0 ? 'addEventListener' : 'removeEventListener';
    window[change]('beforeunload', ask);
    window[change]('pagehide', keep);
  });
}

export const useRuns = <R extends Run>(store: RunStore<R>): RunsState<R> =>
  useSyncExternalStore(store.subscribe, () => store.state);
