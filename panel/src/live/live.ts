// Keeps what is shown up to date: events make queries read again, or an interval where there are none.
import type { StreamedEvent } from '@gantry/client';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { mayCall } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import type { Schemas } from '../api/operations.ts';
import { rereader, type Reread } from '../api/rereading.ts';
import { follow, type Position } from './following.ts';
import { publish } from './listeners.ts';
import { isAbout, pathsOf } from './refreshes.ts';

/** How often everything shown is read again if the events may not be read. */
const pollMs = 15_000;

/** By license. */
const positions = new Map<string, Position>();

export function useLive(): void {
  const queries = useQueryClient();
  const me = useMe();
  const licenseId = me.license_id;
  const mayStream = mayCall(me, 'GET /api/events/stream');
  useEffect(() => {
    if (licenseId === null) return undefined;
    const left = new AbortController();
    const reread = rereader(queries, document, left.signal);
    if (mayStream) void followEvents(licenseId, reread, left.signal);
    else poll(reread, left.signal);
    return () => left.abort();
  }, [queries, licenseId, mayStream]);
}

function followEvents(licenseId: string, reread: Reread, signal: AbortSignal): Promise<void> {
  const position = positions.get(licenseId) ?? { hasGap: false };
  positions.set(licenseId, position);
  const { locks } = navigator as { locks?: LockManager };
  return follow(
    {
      licenseId,
      position,
      open: (options) => client.events(options),
      onEvent: ({ type, event: data }) => {
        const event = data as Schemas['Event'];
        reread(changedBy(type, event));
        publish(event);
      },
      onGap: () => reread(everything),
      page: document,
      locks,
    },
    signal,
  );
}

const everything = () => true;

function poll(reread: Reread, signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') reread(everything);
  }, pollMs);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Whether the event changes what is read with a key. */
function changedBy(type: StreamedEvent['type'], event: Schemas['Event']): (key: QueryKey) => boolean {
  const paths: readonly unknown[] = pathsOf(type);
  return ([path, params]) => paths.includes(path) && isAbout(params, event);
}
