// The server side of a console socket whose client does not read.
import { setImmediate } from 'node:timers/promises';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import type { WebSocket } from 'ws';
import type { Bus } from '../../src/bus/bus.ts';
import type { ConsoleFeed } from '../../src/sockets/console-feed.ts';
import type { ConsoleSeat } from '../../src/services/console/index.ts';
import { ConsoleLines } from '../../src/sockets/console-lines.ts';
import { createFrameReader } from '../../src/sockets/console-frames.ts';
import { ConsoleViewer } from '../../src/sockets/console-viewer.ts';

type Watcher = Parameters<ConsoleFeed['watch']>[2];

/** A socket whose client has left that many bytes unread. */
class StuckSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  closedWith: number | undefined;

  send(text: string): void {
    this.sent.push(text);
  }

  close(code: number): void {
    this.closedWith ??= code;
    this.readyState = 2;
  }

  terminate(): void {
    this.readyState = 3;
  }
}

async function openViewer({ earlierLines = Promise.resolve(), text = 'x' } = {}) {
  const socket = new StuckSocket();
  const watchers = new Set<Watcher>();
  const feed = {
    watch: (_host: string, _name: string, watcher: Watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  const license = { id: 'license', role: 'Viewer', permissions: { 'console.view': true }, isRevoked: false };
  const seat = {
    user: { license },
    licenseId: 'license',
    instanceId: 'i',
    hostId: 'h',
    instanceName: 'main',
  };
  const viewer = new ConsoleViewer({
    socket: socket as unknown as WebSocket,
    seat: seat as unknown as ConsoleSeat,
    feed: feed as unknown as ConsoleFeed,
    bus: { ask: () => earlierLines.then(() => ({ v: 1, ok: true })) } as unknown as Bus,
    readFrame: createFrameReader(),
    log: pino({ level: 'silent' }),
  });
  const opening = viewer.open();
  await Promise.race([opening, setImmediate()]);
  let seq = 0;
  const print = () => {
    const line = { seq: (seq += 1), at: '2026-11-21T10:00:00.000Z', stream: 'stdout' as const, text };
    for (const watcher of watchers) {
      watcher(new ConsoleLines('0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02', [line]));
    }
  };
  return { viewer, opening, socket, watchers, print };
}

const typesOf = (socket: StuckSocket) =>
  socket.sent.map((frame) => (JSON.parse(frame.toString()) as { type: string }).type);

it('up to 256 KiB may wait for the client', async () => {
  const { socket, print } = await openViewer();
  socket.bufferedAmount = 256 * 1024;
  print();
  expect(typesOf(socket)).toEqual(['hello', 'lines']);
});

it('with more, lines are left out until it has read, and show as a gap', async () => {
  const { socket, print } = await openViewer();
  print();
  socket.bufferedAmount = 256 * 1024 + 1;
  print();
  expect(typesOf(socket)).toEqual(['hello', 'lines']);
  socket.bufferedAmount = 0;
  print();
  expect(typesOf(socket)).toEqual(['hello', 'lines', 'gap', 'lines']);
  expect(socket.closedWith).toBeUndefined();
});

it('after ten seconds with more, the socket closes with 4408, sends no more and reads no more', async () => {
  const { socket, watchers, print } = await openViewer();
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  socket.bufferedAmount = 256 * 1024 + 1;
  print();
  now.mockReturnValue(10_000);
  print();
  expect(socket.closedWith).toBeUndefined();
  now.mockReturnValue(10_001);
  print();
  expect(socket.closedWith).toBe(4408);
  expect(watchers.size).toBe(0);
  print();
  expect(socket.sent).toHaveLength(1);
});

it('ends after 12 hours, so that an access token opens nothing that lasts for weeks', async () => {
  const { viewer } = await openViewer();
  const hour = 3_600_000;
  expect(viewer.isExpired(Date.now() + 11 * hour)).toBe(false);
  expect(viewer.isExpired(Date.now() + 12 * hour)).toBe(true);
});

it('holds up to 500,000 characters while earlier lines are requested, and shows the gap', async () => {
  const { promise: earlierLines, resolve: sendEarlierLines } = Promise.withResolvers<void>();
  const { opening, socket, print } = await openViewer({ earlierLines, text: 'x'.repeat(4_000) });
  for (let count = 0; count < 1_000; count += 1) print();
  expect(socket.sent).toHaveLength(1);
  sendEarlierLines();
  await opening;
  print();
  const frames = socket.sent.map((frame) => JSON.parse(frame.toString()) as { type: string });
  expect(frames.filter(({ type }) => type === 'lines')).toHaveLength(125 + 1);
  expect(frames).toContainEqual(expect.objectContaining({ type: 'gap', after_seq: 125, before_seq: 1_001 }));
});
