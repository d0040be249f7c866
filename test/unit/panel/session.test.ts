// The session of a browser: no request is sent as another user or in another license than its page shows.

interface Session {
  readonly phase: string;
  readonly userId: string | null;
  adopt(signedIn: { refresh_token: string }): Promise<void>;
  send(unsent: Request, transport: (request: Request) => Promise<Response>): Promise<Response>;
  signOut(): Promise<void>;
  readonly canMoveBack: boolean;
  moveBack(): Promise<void>;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** Tests are compiled without the types of browsers, which the module needs. */
const source: string = '../../../panel/src/session/browser-session.ts';
const { BrowserSession } = (await import(source)) as { BrowserSession: new () => Session };

const realFetch = globalThis.fetch;
let session: Session;
let otherTab: InstanceType<typeof BroadcastChannel>;
/** What the platform replies to the next requests about the session. */
let replies: Response[];
let requested: { path: string; authorization: string | null; body: unknown }[];

const jwt = (userId: string) => `x.${btoa(JSON.stringify({ sub: userId }))}.x`;

const tokenReply = (licenseId: string, userId = 'ada', lifetimeSeconds = 900) =>
  Response.json({ access_token: jwt(userId), expires_in: lifetimeSeconds, license_id: licenseId });

const servers = () => new Request('https://panel.example/api/instances');

const phases = () =>
  new Promise<string>((resolve) => {
    const end = session.subscribe(() => {
      end();
      resolve(session.phase);
    });
  });

beforeEach(() => {
  session = new BrowserSession();
  otherTab = new BroadcastChannel('gantry-session');
  replies = [];
  requested = [];
  globalThis.fetch = (path, init) => {
    requested.push({
      path: typeof path === 'string' ? path : '',
      authorization: new Headers(init?.headers).get('Authorization'),
      body: init?.body === undefined ? null : JSON.parse(init.body as string),
    });
    const reply = replies.shift();
    return reply === undefined ? Promise.reject(new Error('no reply is planned')) : Promise.resolve(reply);
  };
});

afterEach(() => {
  globalThis.fetch = realFetch;
  session.close();
  otherTab.close();
});

it('holds requests back when its renewal brings a token of another license, until it is back in its own', async () => {
  replies.push(tokenReply('license-1', 'ada', 1));
  await session.adopt({ refresh_token: 'any' });
  replies.push(tokenReply('license-2'));
  const sent: (string | null)[] = [];
  const reply = session.send(servers(), (request) => {
    sent.push(request.headers.get('Authorization'));
    return Promise.resolve(Response.json({}));
  });
  expect(await phases()).toBe('moved');
  expect(sent).toEqual([]);
  const token = { value: 'own', expiresAt: Date.now() + 900_000, licenseId: 'license-1', userId: 'ada' };
  otherTab.postMessage({ kind: 'token', token });
  expect((await reply).status).toBe(200);
  expect(sent).toEqual(['Bearer own']);
});

it('returns to the license of its page with the token of the other tab', async () => {
  replies.push(tokenReply('license-1'));
  await session.adopt({ refresh_token: 'any' });
  const moved = phases();
  const token = { value: 'foreign', expiresAt: Date.now() + 900_000, licenseId: 'license-2', userId: 'ada' };
  otherTab.postMessage({ kind: 'token', token });
  expect(await moved).toBe('moved');
  expect(session.canMoveBack).toBe(true);
  replies.push(tokenReply('license-1'));
  await session.moveBack();
  expect(requested.at(-1)).toEqual({
    path: '/auth/switch-license',
    authorization: 'Bearer foreign',
    body: { license_id: 'license-1' },
  });
  expect(session.phase).toBe('signed-in');
});

it('does not repeat a refused request with the token of another user', async () => {
  replies.push(tokenReply('license-1'));
  await session.adopt({ refresh_token: 'any' });
  replies.push(tokenReply('license-1', 'grace'));
  const sent: (string | null)[] = [];
  const aborted = new AbortController();
  const reply = session.send(new Request(servers(), { signal: aborted.signal }), (request) => {
    sent.push(request.headers.get('Authorization'));
    return Promise.resolve(new Response(null, { status: 401 }));
  });
  expect(await phases()).toBe('moved');
  aborted.abort(new Error('the page is left'));
  await expect(reply).rejects.toThrow('the page is left');
  expect(sent).toEqual([`Bearer ${jwt('ada')}`]);
});

it('is still there when signing out fails', async () => {
  replies.push(tokenReply('license-1'));
  await session.adopt({ refresh_token: 'any' });
  replies.push(new Response('busy', { status: 503 }));
  await expect(session.signOut()).rejects.toThrow('503');
  expect(session.userId).toBe('ada');
});
