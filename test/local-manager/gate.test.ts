// Access control: forged host names, other pages, other programs, and the socket.
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { until } from '../support/until.ts';
import { ManagerWorld } from './support/manager.ts';
import { unzipped } from '../support/zip-files.ts';

let at: ManagerWorld;

beforeAll(async () => {
  at = await ManagerWorld.start({ begins: 'empty' });
});

afterAll(() => at.stop());

interface Raw {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A raw request: fetch would not send a forged Host. */
async function raw({ method = 'GET', path = '/api/status', headers = {}, body }: Raw) {
  const request = send(`${at.manager.url}${path}`, {
    method,
    headers,
    setHost: headers['Host'] === undefined,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const reply: { status: number | undefined; headers: IncomingHttpHeaders; text: string } = {
    status: response.statusCode,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  };
  return reply;
}

const own = () => ({ 'X-Manager-Token': at.manager.token });
const port = () => new URL(at.manager.url).port;

describe('requests', () => {
  it('that follow a link of another page get only instructions to continue', async () => {
    const link = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    const { status, headers, text } = await raw({ path: '/', headers: { ...own(), ...link } });
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 403,
      type: 'text/html; charset=utf-8',
    });
    expect(text).toContain('<a href="/">open the local manager</a>');
    expect(text).not.toContain(at.manager.token);
    expect(headers['set-cookie']).toBeUndefined();
    for (const other of [
      { ...link, 'Sec-Fetch-Dest': 'iframe' },
      { ...link, Host: 'evil.example' },
    ])
      expect(JSON.parse((await raw({ path: '/', headers: other })).text).code).toBe('origin_refused');
  });

  it.each(['/', '/index.html', '/api/status', '/api/docs', '/api/openapi.json', '/nowhere'])(
    'for %s are rejected under a foreign host name, with any credentials',
    async (path) => {
      for (const host of [
        'evil.example',
        `evil.example:${port()}`,
        'localhost',
        `127.0.0.1.evil.example:${port()}`,
        '0.0.0.0',
        `[::]:${port()}`,
      ]) {
        const { status, text } = await raw({ path, headers: { ...own(), Host: host } });
        expect({ host, status, code: JSON.parse(text).code }).toEqual({
          host,
          status: 403,
          code: 'origin_refused',
        });
      }
    },
  );

  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('are rejected from another page: %j', async (headers) => {
    for (const method of ['GET', 'POST']) {
      const { status } = await raw({ method, path: '/api/setup/reset', headers: { ...own(), ...headers } });
      expect(status).toBe(403);
    }
  });

  it('are accepted under each name of this machine, from its own page', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const name = `${host}:${port()}`;
      const headers = { ...own(), Host: name, Origin: `http://${name}`, 'Sec-Fetch-Site': 'same-origin' };
      expect((await raw({ headers })).status).toBe(200);
    }
  });

  it('need the token of this start', async () => {
    for (const headers of [
      {},
      { 'X-Manager-Token': 'x' },
      { Cookie: `gantry_manager_4400=x` },
      { Authorization: `Bearer ${at.manager.token}` },
    ] as Record<string, string>[])
      expect((await raw({ headers })).status).toBe(401);
    const opened = await raw({ path: `/?token=${at.manager.token}` });
    const cookie = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect(cookie).toMatch(new RegExp(`^gantry_manager_${port()}=`));
    expect(cookie).not.toContain(at.manager.token);
    expect((await raw({ headers: { Cookie: `a=b; ${cookie}` } })).status).toBe(200);
    for (const path of ['/', '/assets/app.js', '/api/docs', '/api/openapi.json'])
      expect([401, 404]).toContain((await raw({ path })).status);
    expect(
      (await raw({ path: '/api/openapi.json', headers: own() })).headers['access-control-allow-origin'],
    ).toBeUndefined();
  });

  it('that change something must be JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
    ]) {
      const { status } = await raw({
        method: 'POST',
        path: '/api/vm/stop',
        headers: { ...own(), 'Content-Type': type },
        body: 'a=b',
      });
      expect(status).toBe(415);
    }
  });

  it('are logged without secrets', async () => {
    await raw({ headers: { Host: 'evil.example' } });
    await at.post('/api/setup/reset', { confirm: 'nothing of the body' });
    await at.manager.services.audit.flush();
    const entries = readFileSync(join(at.home, 'audit.jsonl'), 'utf8');
    expect(entries).toContain('"host":"evil.example"');
    expect(entries).toMatch(/"method":"POST","path":"\/api\/setup\/reset","status":422/);
    expect(entries).not.toContain(at.manager.token);
    expect(entries).not.toContain('nothing of the body');
  });
});

describe('the page', () => {
  it('is opened by the printed link, which sets an HttpOnly, SameSite cookie', async () => {
    const { pathname, search } = new URL(at.manager.link);
    const opened = await raw({ path: `${pathname}${search}` });
    expect(opened).toMatchObject({ status: 303, headers: { location: '/' } });
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    const page = await raw({ path: '/', headers: { Cookie: cookie.split(';')[0] ?? '' } });
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(page.text).not.toContain(at.manager.token);
    const within = await raw({ path: '/setup', headers: { Cookie: cookie.split(';')[0] ?? '' } });
    expect(within.text).toBe(page.text);
  });

  it('has another token with each start, and stores it where only this user can read it', async () => {
    const before = at.manager.token;
    expect((await stat(join(at.home, 'session.json'))).mode & 0o777).toBe(0o600);
    await at.restart();
    expect(at.manager.token).not.toBe(before);
    expect((await raw({ headers: { 'X-Manager-Token': before } })).status).toBe(401);
  });
});

describe('the socket', () => {
  const open = (headers: Record<string, string>, path = '/api/operations/socket') => {
    const socket = new WebSocket(`ws://127.0.0.1:${port()}${path}`, { headers });
    const frames: any[] = []; // oxlint-disable-line typescript/no-explicit-any
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    const outcome = new Promise<number>((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      socket.on('error', () => undefined);
    });
    return { socket, frames, outcome };
  };

  it('is for authorised callers, and for no other page', async () => {
    expect(await open({}).outcome).toBe(401);
    expect(await open({ ...own(), Origin: 'http://evil.example' }).outcome).toBe(403);
    expect(await open({ ...own(), Host: 'evil.example' }).outcome).toBe(403);
    expect(await open(own(), '/other').outcome).toBe(404);
    await at.manager.services.audit.flush();
    expect(readFileSync(join(at.home, 'audit.jsonl'), 'utf8')).toMatch(
      /"refused".*"\/api\/operations\/socket".*evil/,
    );
    const { headers } = await raw({ path: `/?token=${at.manager.token}` });
    const { socket, outcome } = open({
      Cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
      Origin: at.manager.url,
    });
    expect(await outcome).toBe(101);
    socket.send('anything');
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1008);
  });

  it('sends lines and states as they arrive, and again after a reconnect', async () => {
    const { socket, frames, outcome } = open(own());
    await outcome;
    await until(() => frames.length >= 2, 'the first frames');
    expect(frames[0]).toMatchObject({ type: 'hello', boot: expect.any(String) });
    const { operations } = at.manager.services;
    const { operation, result } = operations.begin(
      'backUpBattlegroup',
      (run) => run.step('Say something', async () => run.print(`the token is ${at.manager.token}`)),
      () => ({ summary: 'said' }),
    );
    await result;
    await until(() => frames.some(({ operation: reported }) => reported?.state === 'succeeded'), 'the end');
    const lines = frames.flatMap(({ lines: reported = [] }) => reported);
    expect(lines.map(({ text }) => text)).toEqual(['Say something', 'the token is •••']);
    socket.close();
    const again = open(own(), `/api/operations/socket?after=${lines[0].seq}`);
    await until(() => again.frames.length >= 2, 'the frames again');
    expect(again.frames[0]).toMatchObject({ operation: { id: operation.id, state: 'succeeded' } });
    expect(again.frames[1]).toEqual({ type: 'lines', lines: [lines[1]], isTruncated: false });
    again.socket.close();
    const { body } = await at.get(`/api/operations/${operation.id}/lines`);
    expect(body).toEqual({ data: lines, isTruncated: false });
  });
});

describe('diagnostics', () => {
  it('run every check and report what is missing', async () => {
    const { body } = await at.get('/api/diagnostics/selftest');
    const states = Object.fromEntries(
      body.checks.map(({ name, state }: Record<string, string>) => [name, state]),
    );
    expect(states).toMatchObject({
      'Windows PowerShell and Hyper-V': 'passed',
      'SSH key': 'failed',
      Cluster: 'skipped',
    });
  });

  it('are packed without secrets', async () => {
    at.manager.services.audit.add({ event: 'operation', note: `a planted ${at.manager.token}` });
    const response = await fetch(`${at.manager.url}/api/diagnostics/bundle`, { headers: own() });
    expect(response.headers.get('content-type')).toBe('application/zip');
    const files = await unzipped(Buffer.from(await response.arrayBuffer()));
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['selftest.json', 'status.json', 'operations.json', 'audit.jsonl']),
    );
    const everything = [...files.values()].join('\n');
    expect(everything).toContain('"event":"started"');
    expect(everything).toContain('a planted •••');
    expect(everything).not.toContain(at.manager.token);
  });
});

it('deletes its session file when it ends', async () => {
  const file = join(at.home, 'session.json');
  expect(existsSync(file)).toBe(true);
  await at.manager.stop();
  expect(existsSync(file)).toBe(false);
  rmSync(file, { force: true });
  await at.restart();
});
