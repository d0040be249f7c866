// The same request for many servers, kept by the panel for its user and license.
import {
  RunStore,
  type Run,
  type RunItem,
  type RunOutcome,
} from '../../../panel/src/shared/runs/run-store.ts';

const stored = new Map<string, string>();
let user: string | null;
/** What the requests wait for, by server. */
let replies: Map<string, PromiseWithResolvers<RunOutcome>>;
let requested: string[];

function openStore(): RunStore<Run> {
  return new RunStore<Run>(
    {
      key: () => user,
      read: (key) => stored.get(key) ?? null,
      write: (key, text) => void (text === null ? stored.delete(key) : stored.set(key, text)),
    },
    async (_run, items, { isWanted, record }) => {
      for (const { instanceId, key } of items) {
        if (!isWanted()) return;
        requested.push(key);
        record(instanceId, await replyOf(instanceId).promise);
      }
    },
  );
}

function replyOf(instanceId: string): PromiseWithResolvers<RunOutcome> {
  const reply = replies.get(instanceId) ?? Promise.withResolvers<RunOutcome>();
  replies.set(instanceId, reply);
  return reply;
}

const accept = (...ids: string[]): void => {
  for (const id of ids) replyOf(id).resolve({ acceptedId: `command of ${id}` });
};

const runOf = (id: string, ...servers: string[]): Run => ({
  id,
  startedAt: '2026-11-28T10:00:00.000Z',
  items: servers.map((name): RunItem => ({ instanceId: name, name, key: `key of ${name}` })),
});

const accepted = (store: RunStore<Run>) =>
  store.state.runs.flatMap(({ items }) => items.map(({ acceptedId }) => acceptedId ?? null));

beforeEach(() => {
  stored.clear();
  replies = new Map();
  requested = [];
  user = 'ada';
});

it('records what was accepted, and keeps it for a page that is loaded again', async () => {
  const store = openStore();
  accept('main', 'second');
  await store.start(runOf('restart', 'main', 'second'));
  expect(store.state.requesting.size).toBe(0);
  expect(accepted(store)).toEqual(['command of main', 'command of second']);
  expect(openStore().state.runs).toEqual(store.state.runs);
});

it('continues after a reload with what was not requested, under the same keys', async () => {
  const left = openStore();
  accept('main');
  void left.start(runOf('restart', 'main', 'second', 'third'));
  const isSecondRequested = new Promise<void>((resolve) => {
    left.subscribe(() => {
      if (accepted(left)[0] !== null) resolve();
    });
  });
  await isSecondRequested;
  const store = openStore();
  expect(accepted(store)).toEqual(['command of main', null, null]);
  expect(store.state.requesting.size).toBe(0);
  accept('second', 'third');
  await store.proceed('restart');
  expect(accepted(store)).toEqual(['command of main', 'command of second', 'command of third']);
  expect(requested.filter((key) => key === 'key of main')).toHaveLength(1);
  expect(requested.filter((key) => key === 'key of second')).toHaveLength(2);
});

it('shows another user or license nothing, and requests nothing for them', async () => {
  const store = openStore();
  const run = store.start(runOf('restart', 'main', 'second'));
  store.forget();
  user = 'bob';
  expect(store.state).toEqual({ runs: [], requesting: new Set() });
  accept('main', 'second');
  await run;
  expect(requested).toEqual(['key of main']);
  expect([...stored.keys()]).toEqual(['ada']);
  user = 'ada';
  expect(accepted(store)).toEqual([null, null]);
});

it('stores nothing after its user has signed out', async () => {
  const store = openStore();
  const run = store.start(runOf('restart', 'main', 'second'));
  store.forget();
  stored.clear();
  user = null;
  accept('main', 'second');
  await run;
  expect(stored.size).toBe(0);
  user = 'ada';
  expect(store.state.runs).toEqual([]);
});

it('replaces runs that are complete, and keeps those that are not until they are closed', async () => {
  const store = openStore();
  accept('main');
  await store.start(runOf('start', 'main'));
  const slow = store.start(runOf('stop', 'second'));
  await store.start(runOf('restart', 'main'));
  expect(store.state.runs.map(({ id }) => id)).toEqual(['stop', 'restart']);
  expect([...store.state.requesting]).toEqual(['stop']);
  store.close('stop');
  accept('second');
  await slow;
  expect(store.state.runs.map(({ id }) => id)).toEqual(['restart']);
  store.close('restart');
  expect(stored.size).toBe(0);
});
