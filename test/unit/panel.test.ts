// How the platform serves the web panel: its page for every path of its own, its files, and the time before it is built.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import express from 'express';
import type { Logger } from 'pino';
import request from 'supertest';
import { Panel } from '../../src/pages/panel/index.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-panel-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const html = '<!doctype html><meta name="style-nonce" content="%STYLE_NONCE%">';

function build(): void {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), html);
  writeFileSync(join(directory, 'assets/main-1a2b.js'), 'export {};'.repeat(500));
}

function serve(built: Promise<void>, isSetUp = () => Promise.resolve(true)) {
  const reported: unknown[] = [];
  const log = { error: ({ err }: { err: unknown }) => reported.push(err) } as unknown as Logger;
  const panel = new Panel({ directory, built }, { isSetUp }, log);
  const app = express();
  app.get('/assets/:name', panel.asset);
  app.use(panel.page);
  const get = (path: string, accept = 'text/html,*/*') => request(app).get(path).set('Accept', accept);
  return { panel, get, reported };
}

it('serves its page for every path, each time with another nonce', async () => {
  build();
  const { get } = serve(Promise.resolve());
  const nonces = [];
  for (const path of ['/', '/servers/0199a1f0/console?search=x', '/anything/else']) {
    const { text, headers } = await get(path).expect(200);
    const nonce = /content="([\w-]{24})"/.exec(text)?.[1];
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce ?? ''}'`);
    expect(headers['content-security-policy']).toContain(`script-src 'self';`);
    expect(headers['cache-control']).toBe('no-store');
    nonces.push(nonce);
  }
  expect(new Set(nonces).size).toBe(3);
});

it('serves its entry pages to programs that accept any media type', async () => {
  build();
  const { get } = serve(Promise.resolve());
  for (const path of ['/', '/setup']) await get(path, '*/*').expect(200);
  await get('/', 'application/json').expect(404);
  await get('/servers', '*/*').expect(404);
});

it.each([
  ['a program', '/servers', 'application/json'],
  ['an unknown path of the API', '/api/nothing', 'text/html'],
  ['an unknown path of the sessions', '/auth/nothing', 'text/html'],
  ['a missing file', '/assets/old-9f9f.js', 'text/html'],
  ['a path outside its files', '/assets/..%2Findex.html', 'text/html'],
])('leaves %s to others', async (_name, path, accept) => {
  build();
  await serve(Promise.resolve()).get(path, accept).expect(404);
});

it('serves its files to be kept, compressed', async () => {
  build();
  const { get } = serve(Promise.resolve());
  const { headers } = await get('/assets/main-1a2b.js', '*/*').set('Accept-Encoding', 'br').expect(200);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
  });
});

it('says that it is being built, and then opens', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { get } = serve(promise);
  const { text, headers } = await get('/').expect(503);
  expect([headers['retry-after'], text]).toEqual(['2', expect.stringContaining('being built')]);
  build();
  resolve();
  await promise;
  await get('/').expect(200);
});

it('leaves everything to others if it cannot be built', async () => {
  rmSync(directory, { recursive: true });
  const { get, panel } = serve(Promise.resolve());
  await get('/').expect(404);
  expect(panel.isThere).toBe(false);
  mkdirSync(directory);
});

it.each([
  ['its build was cut off', () => Promise.reject(new Error('killed'))],
  [
    'it contains a file of an unknown type',
    () => {
      build();
      writeFileSync(join(directory, 'assets/film-3c4d.mp4'), '');
      return Promise.resolve();
    },
  ],
])('leaves everything to others, and reports why, if %s', async (_why, prepare) => {
  const { get, panel, reported } = serve(prepare());
  await new Promise(setImmediate);
  await get('/').expect(404);
  expect(panel.isThere).toBe(false);
  expect(reported).toEqual([expect.any(Error)]);
});

it.each([
  ['is built', () => new Response('', { status: 200 }), 1],
  ['is not there, on a path of its own', () => new Response('', { status: 404 }), 1],
  ['could not be built', () => new Response('', { status: 503 }), 1],
  ['is still being built', () => new Response('', { status: 503, headers: { 'Retry-After': '2' } }), 0],
  ['is not reached by its proxy', () => new Response('', { status: 502 }), 0],
  ['is not reached', () => Promise.reject(new TypeError('Failed to fetch')), 0],
])(
  'the page of the time before loads again only when there is news: the panel %s',
  async (_what, reply, reloads) => {
    const { get } = serve(new Promise(() => undefined));
    const { text } = await get('/').expect(503);
    let check = () => Promise.resolve();
    let count = 0;
    runInNewContext(/<script>(.*)<\/script>/s.exec(text)?.[1] ?? '', {
      fetch: async () => reply(),
      location: { pathname: '/', reload: () => (count += 1) },
      setInterval: (work: typeof check) => (check = work),
    });
    await check();
    expect(count).toBe(reloads);
  },
);

it('leads to the setup until there is a user', async () => {
  build();
  let hasUser = false;
  let readings = 0;
  const { get } = serve(Promise.resolve(), () => {
    readings += 1;
    return Promise.resolve(hasUser);
  });
  for (const path of ['/', '/sign-in']) {
    const { headers } = await get(path).expect(302);
    expect(headers).toMatchObject({ location: '/setup', 'cache-control': 'no-store' });
  }
  await get('/setup').expect(200);
  hasUser = true;
  for (const path of ['/', '/sign-in', '/']) await get(path).expect(200);
  expect(readings).toBe(3);
});
