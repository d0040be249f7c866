// The client's session while its tokens change concurrently, with a slow token store.
import { Session, type Tokens, type TokenStore } from '../../client/src/session.ts';

const first: Tokens = { access_token: 'access-1', refresh_token: 'refresh-1' };
const signal = new AbortController().signal;

const signedIn = (number: number) =>
  ({ access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 900 }) as Parameters<
    Session['start']
  >[0];
const switched = { access_token: 'access-switched', expires_in: 900 } as Parameters<Session['start']>[0];

/** A store whose reads and writes take several ticks of the event loop, like IndexedDB. */
function slowStore(lock?: string) {
  const store = {
    tokens: first as Tokens | undefined,
    written: [] as (string | undefined)[],
    readCount: 0,
    read: async () => {
      store.readCount += 1;
      await turns();
      return store.tokens;
    },
    write: async (next: Tokens | undefined) => {
      await turns();
      store.tokens = next;
      store.written.push(next?.access_token);
    },
    ...(lock !== undefined && { lock }),
  };
  return store satisfies TokenStore;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}

/** A session whose renewal has been sent; the test decides when and what the platform replies. */
function sessionWith(store: TokenStore) {
  const sent = Promise.withResolvers<Request>();
  const reply = Promise.withResolvers<Response>();
  let count = 0;
  const session = new Session({
    baseUrl: 'https://platform.test',
    store,
    send: (request) => {
      count += 1;
      sent.resolve(request);
      return reply.promise;
    },
  });
  return {
    session,
    sent: sent.promise,
    renewalCount: () => count,
    reply: (response: Response) => reply.resolve(response),
  };
}

const renewed = () => Response.json(signedIn(2));

describe('a switch to another license', () => {
  it('stays, with the refresh token of a renewal that was sent before it', async () => {
    const store = slowStore();
    const { session, sent, reply } = sessionWith(store);
    const renewal = session.renew('access-1', signal);
    await sent;
    const start = session.start(switched);
    await turns();
    reply(renewed());
    await Promise.all([renewal, start]);
    expect(store.tokens).toMatchObject({ access_token: 'access-switched', refresh_token: 'refresh-2' });
  });

  it('is the result of a renewal requested while it is stored; nothing is sent', async () => {
    const store = slowStore();
    const { session, renewalCount } = sessionWith(store);
    const [, token] = await Promise.all([session.start(switched), session.renew('access-1', signal)]);
    expect(token).toBe('access-switched');
    expect(renewalCount()).toBe(0);
    expect(store.tokens).toMatchObject({ access_token: 'access-switched', refresh_token: 'refresh-1' });
  });

  it('stays when another tab stores it without a lock, and the refresh token that was sent is replaced', async () => {
    const store = slowStore();
    const { session, sent, reply } = sessionWith(store);
    const renewal = session.renew('access-1', signal);
    await sent;
    store.tokens = { ...first, access_token: 'access-switched' };
    reply(renewed());
    expect(await renewal).toBe('access-switched');
    expect(store.tokens).toEqual({ access_token: 'access-switched', refresh_token: 'refresh-2' });
  });

  it('of a session that has ended is rejected, and the next change is not delayed', async () => {
    const store = slowStore();
    const { session } = sessionWith(store);
    await session.end();
    await expect(session.start(switched)).rejects.toThrow('there is none');
    await session.start(signedIn(3));
    expect(store.tokens).toMatchObject({ access_token: 'access-3', refresh_token: 'refresh-3' });
  });

  it('waits for the other clients that share the lock', async () => {
    const store = slowStore('a switch beside a renewal');
    const [one, two] = [sessionWith(store), sessionWith(store)];
    const renewal = one.session.renew('access-1', signal);
    await one.sent;
    const start = two.session.start(switched);
    await turns();
    expect(store.written).toEqual([]);
    one.reply(renewed());
    await Promise.all([renewal, start]);
    expect(store.written).toEqual(['access-2', 'access-switched']);
    expect(store.tokens).toMatchObject({ refresh_token: 'refresh-2' });
  });
});

it.each([
  ['a sign-in', (session: Session) => session.start(signedIn(3)), 'access-3'],
  ['an end', (session: Session) => session.end(), undefined],
])('%s during a renewal is what remains', async (_name, change, expected) => {
  const store = slowStore();
  const { session, sent, reply } = sessionWith(store);
  const renewal = session.renew('access-1', signal);
  await sent;
  reply(renewed());
  // The renewal has begun to compare what is stored with what it sent, and is about to write.
  while (store.readCount < 2) await new Promise(setImmediate);
  await Promise.all([renewal, change(session)]);
  expect(store.tokens?.access_token).toBe(expected);
});

it('a renewal that fails lets the next change through', async () => {
  const store = slowStore();
  const { session, sent, reply } = sessionWith(store);
  const renewal = session.renew('access-1', signal);
  await sent;
  const start = session.start(switched);
  reply(new Response('', { status: 503 }));
  await expect(renewal).rejects.toThrow('503');
  await start;
  expect(store.tokens).toMatchObject({ access_token: 'access-switched', refresh_token: 'refresh-1' });
});
