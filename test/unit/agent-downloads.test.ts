// Agents that update at the same time download their executables a few at a time.
import { createHash, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { Backoff } from '../../agent/src/backoff.ts';
import { BusyDownload } from '../../agent/src/errors.ts';
import { ReleaseDownload } from '../../agent/src/updates/release-download.ts';
import { AgentRelease } from '../../src/agent-release/agent-release.ts';
import { DownloadPlaces } from '../../src/agent-release/download-places.ts';
import { createInstallRouter } from '../../src/pages/install.ts';
import { makeRelease } from '../support/agent-release.ts';
import { until } from '../support/until.ts';

const name = 'gantry-agent-linux-x64';
const agent = { 'user-agent': 'Gantry agent' };
/** More than the buffers of a connection hold, so that a client which does not read keeps the response open. */
const largeBytes = 64 * 1024 * 1024;

let release: string;
let directory: string;
let server: Server;
let url: string;
let open: IncomingMessage[];

beforeEach(async () => {
  release = await makeRelease();
  directory = await mkdtemp(join(tmpdir(), 'gantry-downloads-'));
  open = [];
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  for (const path of [release, directory]) await rm(path, { recursive: true, force: true });
});

async function listen(handler: http.RequestListener): Promise<void> {
  server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (places?: DownloadPlaces) =>
  listen(
    express().use(
      createInstallRouter(new AgentRelease(release, pino({ enabled: false })), () => url, places),
    ),
  );

/** Reads nothing of the body. */
async function request(headers: Record<string, string>, path = name): Promise<IncomingMessage> {
  const sent = http.get(`${url}/downloads/agent/${path}`, { headers, agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  open.push(response);
  return response;
}

const statusOf = async (headers: Record<string, string>, path?: string) =>
  (await request(headers, path)).statusCode;

it('serves twenty agents at a time, and installations beside them', async () => {
  await truncate(join(release, name), largeBytes);
  await serve();
  expect(await Promise.all(Array.from({ length: 20 }, () => statusOf(agent)))).toEqual(Array(20).fill(200));
  const refused = await request(agent);
  expect([refused.statusCode, refused.headers['cache-control']]).toEqual([503, 'no-store']);
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(10);
  expect(seconds).toBeLessThanOrEqual(30);
  expect(await statusOf({ 'user-agent': 'curl/8.14.1' })).toBe(200);
  expect(await statusOf(agent, 'release.json')).toBe(200);
  open[0]?.destroy();
  await until(async () => (await statusOf(agent)) === 200, 'a free place');
  expect(await statusOf(agent)).toBe(503);
});

it('takes the place of an agent that stops reading', async () => {
  await truncate(join(release, name), largeBytes);
  await serve(new DownloadPlaces({ maxCount: 1, maxSilenceMs: 300 }));
  const silent = await request(agent);
  expect(await statusOf(agent)).toBe(503);
  await until(async () => (await statusOf(agent)) === 200, 'a free place');
  const closed = new Promise((resolve) => silent.once('close', resolve));
  silent.resume();
  await closed;
  expect(silent.complete).toBe(false);
});

it('a hundred agents have the executable in the end, three at a time', async () => {
  const bytes = Buffer.alloc(1024 * 1024, 'gantry');
  await writeFile(join(release, name), bytes);
  let [count, maxCount, refusedCount] = [0, 0, 0];
  const places = new DownloadPlaces({ maxCount: 3, minRetrySeconds: 0, maxRetrySeconds: 0 });
  const router = createInstallRouter(new AgentRelease(release, pino({ enabled: false })), () => url, places);
  const counted = express().use((_request, response, next) => {
    response.on('pipe', () => (maxCount = Math.max(maxCount, (count += 1))));
    response.on('close', () => {
      if (response.statusCode === 503) refusedCount += 1;
      else count -= 1;
    });
    next();
  }, router);
  await listen(counted);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const wanted = { platform: 'linux-x64', name, size: bytes.length, sha256 };
  const paths = Array.from({ length: 100 }, (_, number) => join(directory, String(number)));
  await Promise.all(
    paths.map((path) =>
      new ReleaseDownload(url, { newBackoff: () => new Backoff(5, 20) }).fetch(wanted, path),
    ),
  );
  for (const path of paths) expect((await readFile(path)).equals(bytes)).toBe(true);
  expect(maxCount).toBe(3);
  expect(refusedCount).toBeGreaterThan(100);
});

it('an agent gives up after its limit, and leaves no file', async () => {
  await listen((_request, response) => response.writeHead(503, { 'retry-after': '0' }).end());
  const download = new ReleaseDownload(url, { newBackoff: () => new Backoff(10, 10), maxBusyMs: 100 });
  const wanted = { platform: 'linux-x64', name, size: 1, sha256: '' };
  await expect(download.fetch(wanted, join(directory, 'part'))).rejects.toThrow(BusyDownload);
});

it('an agent waits for the requested time, at most five minutes', async () => {
  const retryAfters = ['7', '86400', 'Fri, 27 Nov 2026 12:00:00 GMT', undefined];
  const keyFile = join(directory, 'key.pem');
  const key = createPublicKey(await readFile(join(release, 'release-key.pem'), 'utf8'));
  await writeFile(keyFile, key.export({ type: 'spki', format: 'pem' }));
  for (const retryAfter of retryAfters) {
    await listen((_request, response) =>
      response.writeHead(503, { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }).end(),
    );
    const download = new ReleaseDownload(url, { newBackoff: () => new Backoff(1, 1), maxBusyMs: 0 });
    const failure: unknown = await download
      .find({ version: '1.0.0', platform: 'linux-x64', keyFile })
      .catch((error: unknown) => error);
    const expected = { '7': 7000, '86400': 300_000 }[retryAfter ?? ''];
    expect(failure instanceof BusyDownload ? failure.retryAfterMs : undefined).toBe(expected);
    server.closeAllConnections();
    server.close();
  }
});

it('a release is found once its copy is complete, whichever file came last', async () => {
  const found = new AgentRelease(release, pino({ enabled: false }));
  const { version } = (await found.find()) ?? {};
  expect(version).toBeDefined();
  const signature = join(release, 'release.json.sig');
  const content = await readFile(signature);
  await rm(signature);
  expect(await found.find()).toBeUndefined();
  await writeFile(signature, 'half');
  expect(await found.find()).toBeUndefined();
  await writeFile(signature, content);
  expect(await found.find()).toMatchObject({ version });
});
