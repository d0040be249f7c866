// Provides every part of the page with the live operations.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { refresh } from '../api/queries.ts';
import {
  OperationsFeed,
  type Feed,
  type OpenSocket,
  type Operation,
  type OperationKind,
} from './operations-feed.ts';

const FeedContext = createContext<Feed | null>(null);

const openSocket: OpenSocket = (after, onText, onEnd) => {
  const address = new URL('/api/operations/socket', window.location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.searchParams.set('after', String(after));
  const socket = new WebSocket(address);
  const left = new AbortController();
  const { signal } = left;
  socket.addEventListener('message', ({ data }) => onText(String(data)), { signal });
  socket.addEventListener('close', onEnd, { signal });
  return () => {
    left.abort();
    socket.close();
  };
};

export function OperationsProvider({ children }: { children: ReactNode }) {
  const [operations] = useState(() => new OperationsFeed(openSocket));
  const feed = useSyncExternalStore(operations.subscribe, operations.current);
  const queries = useQueryClient();
  useEffect(() => {
    operations.open();
    return () => operations.close();
  }, [operations]);
  // Changes of an operation are shown as soon as it ends, from any client.
  const { isOpen, operation } = feed;
  const ended = operation === null || operation.state === 'running' ? null : operation.id;
  const lastEnded = useRef<string | null>(undefined);
  useEffect(() => {
    if (isOpen === null) return;
    const isNews = lastEnded.current !== undefined && ended !== null && ended !== lastEnded.current;
    lastEnded.current = ended ?? lastEnded.current ?? null;
    if (isNews) void refresh(queries);
  }, [queries, isOpen, ended]);
  return <FeedContext value={feed}>{children}</FeedContext>;
}

export function useFeed(): Feed {
  const feed = use(FeedContext);
  if (feed === null) throw new Error('there is no OperationsProvider around this');
  return feed;
}

/** The running operation; null without one. */
export function useRunning(): Operation | null {
  const { operation } = useFeed();
  return operation?.state === 'running' ? operation : null;
}

/** The last operation, if it is of one of these kinds. */
export function useLast(...kinds: OperationKind[]): Operation | null {
  const { operation } = useFeed();
  return operation !== null && kinds.includes(operation.kind) ? operation : null;
}
