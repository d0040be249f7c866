// Keeps what is shown up to date: one event stream for all tabs, whose events make queries read again.
import { EventCursorExpired } from '@gantry/client';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { mayCall } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import type { Schemas } from '../api/operations.ts';
import { rereader, type Reread } from '../api/rereading.ts';
import { publish } from './listeners.ts';
import { pathsOf } from './refreshes.ts';

interface LiveEvent {
  type: string;
  cursor: string;
  event: Schemas['Event'];
}

/** How often everything shown is read again while there is no stream. */
const pollMs = 15_000;
const restartMs = 30_000;

/** The position of the last event, so that the next tab continues where the former one ended. */
const cursors = new Map<string, string>();

export function useLive(): void {
  const queries = useQueryClient();
  const me = useMe();
  const licenseId = me.license_id;
  const mayStream = mayCall(me, 'GET /api/events/stream');
  useEffect(() => {
    if (licenseId === null) return undefined;
    const left = new AbortController();
    const reread = rereader(queries, left.signal);
    if (mayStream) void follow(licenseId, reread, left.signal).catch(() => undefined);
    else poll(reread, left.signal);
    return () => left.abort();
  }, [queries, licenseId, mayStream]);
}

async function follow(licenseId: string, reread: Reread, signal: AbortSignal): Promise<void> {
  const name = `gantry-live-${licenseId}`;
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close(), { once: true });
  const hear = (event: LiveEvent) => {
    cursors.set(licenseId, event.cursor);
    reread(changedBy(event));
    publish(event.event);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => hear(data));
  const lead = () =>
    stream(licenseId, reread, signal, (event) => {
      hear(event);
      channel.postMessage(event);
    });
  // Pages over plain HTTP have no locks: each tab has a stream of its own there.
  const { locks } = navigator as { locks?: LockManager };
  await (locks === undefined ? lead() : locks.request(name, { signal }, lead));
}

const everything = () => true;

/** Streams until the page is left; refusals that pass are waited for, with readings in between. */
async function stream(
  licenseId: string,
  reread: Reread,
  signal: AbortSignal,
  hear: (event: LiveEvent) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const cursor = cursors.get(licenseId);
      for await (const { type, cursor: position, event } of client.events({
        signal,
        ...(cursor !== undefined && { cursor }),
      })) {
        hear({ type, cursor: position, event: event as Schemas['Event'] });
      }
    } catch (error) {
      if (signal.aborted) return;
      cursors.delete(licenseId);
      if (!(error instanceof EventCursorExpired)) await pause(restartMs, signal);
      reread(everything);
    }
  }
}

/** Without events, what is shown is read again at an interval while the tab is visible. */
function poll(reread: Reread, signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') reread(everything);
  }, pollMs);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Whether the event changes what is read with a key. */
function changedBy({ type, event }: LiveEvent): (key: QueryKey) => boolean {
  const paths: readonly unknown[] = pathsOf(type);
  return ([path, params]) => paths.includes(path) && concerns(params, event.instance_id);
}

/** Data of one instance is not read again for the events of others. */
function concerns(params: unknown, instanceId: string | null): boolean {
  const shown = (params as { path?: { instance_id?: string } } | undefined)?.path?.instance_id;
  return shown === undefined || instanceId === null || shown === instanceId;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
