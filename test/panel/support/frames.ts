// Measures how long scripts run in each frame of a page, by the tracing of the browser.
import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Microseconds of the thread's own time: other work of the machine does not lengthen it. */
  tts?: number;
  tdur?: number;
  args?: { name?: string };
}

export interface FrameTimes {
  /** Milliseconds of scripting in each frame that had any, ascending. */
  scripting: number[];
  /** The part of all frames that this share of them stays within. */
  at(share: number): number;
}

/** What the browser reports as running scripts; nested ones are part of the outer one. */
const scripts = new Set([
  'FunctionCall',
  'EvaluateScript',
  'FireAnimationFrame',
  'TimerFire',
  'EventDispatch',
  'RunMicrotasks',
  'v8.callFunction',
]);
/** Work that scripts cause, and that is no scripting. */
const rendering = new Set(['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit']);

export async function measureFrames(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<FrameTimes> {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'v8', 'blink.user_timing', 'disabled-by-default-devtools.timeline'],
  });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const scripting = scriptingByFrame(mainThreadOf(traceEvents)).sort((one, other) => one - other);
  return {
    scripting,
    at: (share) => scripting[Math.min(scripting.length - 1, Math.floor(scripting.length * share))] ?? 0,
  };
}

/** The thread on which most frames begin: that of the page, not of another tab or of the browser itself. */
function mainThreadOf(events: readonly TraceEvent[]): TraceEvent[] {
  const counts = new Map<string, number>();
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  for (const event of events)
    if (event.name === 'FireAnimationFrame' || event.name === 'FunctionCall')
      counts.set(threadOf(event), (counts.get(threadOf(event)) ?? 0) + 1);
  const [busiest] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [''];
  return events
    .filter((event) => threadOf(event) === busiest && event.ph === 'X' && event.tdur !== undefined)
    .sort((one, other) => (one.tts ?? 0) - (other.tts ?? 0));
}

/** Milliseconds; a frame ends when the page is committed for painting. */
function scriptingByFrame(events: readonly TraceEvent[]): number[] {
  const frames: number[] = [];
  let current = 0;
  let scriptEnd = 0;
  let renderingEnd = 0;
  for (const { name, tts = 0, tdur = 0 } of events) {
    if (name === 'Commit') {
      if (current > 0) frames.push(current / 1000);
      current = 0;
      continue;
    }
    if (scripts.has(name) && tts >= scriptEnd) {
      current += tdur;
      scriptEnd = tts + tdur;
    } else if (rendering.has(name) && tts < scriptEnd && tts >= renderingEnd) {
      current -= tdur;
      renderingEnd = tts + tdur;
    }
  }
  return frames;
}
