// What an installation needs: a session that outlives the manager, a log that is rotated, a task for Windows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunning, stopRunning } from '../../local-manager/src/installation/running-manager.ts';
import { taskXml } from '../../local-manager/src/installation/logon-task.ts';
import {
  BrowserSession,
  endSession,
  sessionSeconds,
} from '../../local-manager/src/security/browser-session.ts';
import { LogFile } from '../../local-manager/src/log-file.ts';
import { StandInWorld } from '../../local-manager/stand-ins/world.ts';
import { ManagerProcess } from './support/manager-process.ts';
import { ManagerWorld } from './support/manager.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-installation-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['does not respond', () => undefined, process.pid, /process \d+ but does not respond/],
  ['is another program', (response: ServerResponse) => response.writeHead(401).end(), process.pid, undefined],
  ['has ended', () => undefined, 2 ** 22 + 1, undefined],
])('handles the session file of a manager that %s', async (_what, respond, pid, refusal) => {
  const server = createServer((_request, response) => void respond(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(folder, 'session.json'), JSON.stringify({ url, token: 'x', pid }));
  const found = findRunning(folder, 200);
  if (refusal === undefined) expect(await found).toBeUndefined();
  else await expect(found).rejects.toThrow(refusal);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(await findRunning(folder, 200)).toBeUndefined();
});

it('keeps the session of the browser over a restart, and no token', async () => {
  const at = await ManagerWorld.start({ begins: 'empty' });
  try {
    const opened = await fetch(at.manager.link, { redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    const { token, url } = at.manager;
    await at.restart();
    const port = new URL(url).port;
    const value = cookie.split(';')[0]?.split('=')[1] ?? '';
    const name = `gantry_manager_${new URL(at.manager.url).port}`;
    expect(port).not.toBe('');
    const page = await fetch(`${at.manager.url}/api/status`, { headers: { Cookie: `${name}=${value}` } });
    expect(page.status).toBe(200);
    const old = await fetch(`${at.manager.url}/api/status`, { headers: { 'X-Manager-Token': token } });
    expect(old.status).toBe(401);
  } finally {
    await at.stop();
  }
});

it('keeps a session in a file of this user alone, until it expires or is ended', async () => {
  const file = join(folder, 'browser-session.json');
  const { value } = await BrowserSession.load(folder);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await BrowserSession.load(folder)).value).toBe(value);
  writeFileSync(file, JSON.stringify({ session: value, expiresAt: Date.now() - 1 }));
  const next = await BrowserSession.load(folder);
  expect(next.value).not.toBe(value);
  await endSession(folder);
  expect((await BrowserSession.load(folder)).value).not.toBe(next.value);
});

it('refuses an expired session also while the manager runs, and never takes its value again', async () => {
  let now = Date.now();
  const session = await BrowserSession.load(folder, () => now);
  const { value } = session;
  expect(session.matches(value)).toBe(true);
  expect(session.matches(undefined)).toBe(false);
  now += sessionSeconds * 1000;
  expect(session.matches(value)).toBe(false);
  await session.renew();
  expect(session.value).not.toBe(value);
  expect(session.matches(value)).toBe(false);
  expect(session.matches(session.value)).toBe(true);
});

it('rotates its log file, and keeps five', () => {
  const log = new LogFile(join(folder, 'logs/manager.log'), { maxBytes: 20 });
  for (let line = 0; line < 20; line += 1) log.write(`line ${line} of the log\n`);
  expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual([
    'manager.log',
    'manager.log.1',
    'manager.log.2',
    'manager.log.3',
    'manager.log.4',
  ]);
  expect(readFileSync(join(folder, 'logs/manager.log'), 'utf8')).toContain('line 19');
});

it('describes its task to Windows: elevated, at logon, without a time limit', () => {
  const xml = taskXml({
    sid: 'S-1-5-21-1-2-3-1001',
    command: ['C:\\Program Files\\A & B\\node.exe', 'C:\\a folder\\gantry-local-manager.js'],
  });
  expect(xml).not.toMatch(/&(?!#\d+;)/);
  expect(xml).toContain('<RunLevel>HighestAvailable</RunLevel>');
  expect(xml).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>');
  expect(xml).toContain(
    '--headless &#34;C:\\Program Files\\A &#38; B\\node.exe&#34; &#34;C:\\a folder\\gantry-local-manager.js&#34;<',
  );
});

it('gives up on a manager whose process does not end, and keeps its session', async () => {
  const server = createServer((_request, response) => response.end('{"data":[]}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const held = spawn('sh', ['-c', "trap '' TERM; echo ready; while :; do sleep 1; done"], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(held, 'exit');
  try {
    await once(held.stdout, 'data');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(folder, 'session.json'), JSON.stringify({ url, token: 'x', pid: held.pid }));
    writeFileSync(join(folder, 'browser-session.json'), '{}');
    await expect(stopRunning(folder, 200)).rejects.toThrow(
      `Process ${held.pid} of the manager did not end within 0.2 seconds. End that process, then try again.`,
    );
    expect(readdirSync(folder)).toContain('browser-session.json');
  } finally {
    held.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
    await ended;
  }
});

it('finds a running manager and ends it; finds none after that', async () => {
  const world = await StandInWorld.start({ begins: 'empty' });
  try {
    await ManagerProcess.start(world, folder);
    expect(await findRunning(folder)).toMatchObject({ pid: expect.any(Number) });
    expect(readdirSync(folder)).toContain('browser-session.json');
    expect(await stopRunning(folder)).toBe(true);
    expect(readdirSync(folder)).not.toContain('browser-session.json');
    expect(await stopRunning(folder)).toBe(false);
  } finally {
    await world.stop();
  }
}, 120_000);
