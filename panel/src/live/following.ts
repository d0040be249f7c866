// Follows the events of a license: one tab of the browser holds the stream, and passes to the others what it hears.
import { EventCursorExpired, type EventStreamOptions, type StreamedEvent } from '@gantry/client';
import type { Page } from '../api/rereading.ts';

/** Where a tab is in the event log. */
export interface Position {
  /** After which event the stream continues; it begins now without one. */
  cursor?: string | undefined;
  /** Whether events were lost since everything was read. */
  hasGap: boolean;
}

export interface Following {
  licenseId: string;
  /** Kept by the tab for as long as it is open. */
  position: Position;
  open: (options: EventStreamOptions) => AsyncIterable<StreamedEvent>;
  onEvent: (event: StreamedEvent) => void;
  /** Events were lost: everything has to be read again. */
  onGap: () => void;
  page: Page;
  /** Undefined on pages over plain HTTP. */
  locks: Locks | undefined;
}

export interface Locks {
  request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<void>;
}

type Message =
  | { kind: 'ask' }
  | { kind: 'position'; cursor: string }
  | { kind: 'event'; event: StreamedEvent }
  | { kind: 'gap'; cursor: string | undefined };

type News = Exclude<Message, { kind: 'ask' }>;

/** The interval of readings while the platform refuses the stream. */
const restartMs = 30_000;

/** Follows until the signal is aborted. */
export async function follow(following: Following, signal: AbortSignal): Promise<void> {
  try {
    if (following.locks === undefined) await followWhileShown(following, signal);
    else await followTogether(following, following.locks, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function followTogether(following: Following, locks: Locks, signal: AbortSignal): Promise<void> {
  // The number changes with the form of the messages: tabs of another build of the panel do not understand them.
  const name = `gantry-live-2-${following.licenseId}`;
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close(), { once: true });
  const send = (message: Message) => channel.postMessage(message);
  let isLeading = false;
  channel.addEventListener('message', (event: object) => {
    const { data: message } = event as { data: Message };
    if (message.kind !== 'ask') return take(following, message);
    const { cursor } = following.position;
    if (isLeading && cursor !== undefined) send({ kind: 'position', cursor });
  });
  // Whichever tab leads next continues where the former one ended.
  send({ kind: 'ask' });
  await locks.request(name, { signal }, async () => {
    isLeading = true;
    await stream(following, signal, (news) => {
      take(following, news);
      send(news);
    });
  });
}

/**
 * Without locks each tab has a stream of its own. It occupies one of the few connections that a browser opens to a host, so
 * a hidden tab ends its stream; it continues after its last event when it is shown.
 */
async function followWhileShown(following: Following, signal: AbortSignal): Promise<void> {
  const { page } = following;
  while (!signal.aborted) {
    const change = new AbortController();
    page.addEventListener('visibilitychange', () => change.abort(), { signal: change.signal });
    const either = AbortSignal.any([signal, change.signal]);
    if (page.visibilityState === 'visible') await stream(following, either, (news) => take(following, news));
    else await aborted(either);
    change.abort();
  }
}

function take({ position, onEvent, onGap }: Following, news: News): void {
  if (news.kind === 'event') {
    position.cursor = news.event.cursor;
    onEvent(news.event);
    return;
  }
  position.cursor = news.cursor;
  position.hasGap = news.cursor === undefined;
  if (news.kind === 'gap') onGap();
}

/** Streams until the signal is aborted. Between attempts after a refusal, everything is read again. */
async function stream(
  { position, open }: Following,
  signal: AbortSignal,
  announce: (news: News) => void,
): Promise<void> {
  // What is read before the stream is open may lack what has happened until then.
  const onReady = (cursor: string) => announce({ kind: position.hasGap ? 'gap' : 'position', cursor });
  while (!signal.aborted) {
    try {
      const { cursor } = position;
      for await (const event of open({ signal, onReady, ...(cursor !== undefined && { cursor }) }))
        announce({ kind: 'event', event });
    } catch (error) {
      if (signal.aborted) return;
      position.cursor = undefined;
      position.hasGap = true;
      if (error instanceof EventCursorExpired) continue;
      await pause(restartMs, signal);
      if (!signal.aborted) announce({ kind: 'gap', cursor: undefined });
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([aborted(signal), new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
