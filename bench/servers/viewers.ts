// Opens consoles and event streams as browsers would, in a separate process, and measures what reaches them.
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { settingsOfChild } from '../support/child.ts';

const { url } = settingsOfChild<{ url: string }>();

export interface Opening {
  tokens: string[];
  /** An instance for each token to watch; without it they read the event log. */
  instanceIds?: string[];
  /** They never read. */
  isSlow?: boolean;
  /** Opened at the same time. */
  atOnce: number;
}

export interface ViewerFigures {
  open: number;
  lines: number;
  events: number;
  gaps: number;
  /** Codes of closed consoles with their number. */
  closed: Record<string, number>;
  /** From printing a line, or changing a row, to its arrival. */
  p50Ms: number;
  p99Ms: number;
}

let open = 0;
let counts = newCounts();

process.on('message', (question: Opening | 'figures') => {
  if (question === 'figures') {
    process.send?.(takeFigures());
    return;
  }
  openAll(question).then(
    () => process.send?.({ opened: question.tokens.length }),
    (error: unknown) => {
      throw error;
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: '' });

function newCounts() {
  return { lines: 0, events: 0, gaps: 0, closed: {} as Record<string, number>, delays: [] as number[] };
}

function takeFigures(): ViewerFigures {
  const { delays, ...rest } = counts;
  counts = newCounts();
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return { ...rest, open, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function openAll({ tokens, instanceIds, isSlow = false, atOnce }: Opening): Promise<void> {
  const waiting = tokens.entries();
  const work = async () => {
    for (const [index, token] of waiting) {
      const instanceId = instanceIds?.[index];
      if (instanceId === undefined) await openStream(token);
      else await openConsole(token, instanceId, isSlow);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function openConsole(token: string, instanceId: string, isSlow: boolean): Promise<void> {
  const response = await fetch(`${url}/api/instances/${instanceId}/console-tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(await response.text());
  const { url: path } = (await response.json()) as { url: string };
  const socket = new WebSocket(url.replace('http', 'ws') + path, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  open += 1;
  socket.on('error', () => undefined);
  socket.on('close', (code) => {
    open -= 1;
    counts.closed[code] = (counts.closed[code] ?? 0) + 1;
  });
  if (isSlow) {
    socket.pause();
    return;
  }
  socket.on('message', (data: Buffer) => {
    const now = Date.now();
    // The load must cost less than what it measures: the newest line alone is read.
    if (data.subarray(0, 30).includes('"gap"')) counts.gaps += 1;
    if (!data.subarray(0, 30).includes('"lines"')) return;
    counts.lines += 1;
    const newest = data.lastIndexOf('"at":"');
    if (newest >= 0) counts.delays.push(now - Date.parse(data.toString('latin1', newest + 6, newest + 30)));
  });
}

function openStream(token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = request(`${url}/api/events/stream`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      agent: false,
    });
    stream.once('error', reject);
    stream.once('response', (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`the stream of events has status ${response.statusCode ?? 0}`));
        return;
      }
      open += 1;
      stream.on('error', () => undefined);
      response.once('close', () => (open -= 1));
      response.on('data', (data: Buffer) => {
        const now = Date.now();
        for (const [, at = ''] of data.toString().matchAll(/"occurred_at":"([^"]+)"/g)) {
          counts.events += 1;
          counts.delays.push(now - Date.parse(at));
        }
      });
      resolve();
    });
    stream.end();
  });
}
