// Simulated hosts: what they store is limited, and a command that arrives twice is carried out once.
import type { BusSchemas } from '../../src/platform-contract/bus-types.ts';
import { takeCommand } from '../../src/sandbox/commands.ts';
import { textFile } from '../../src/sandbox/content.ts';
import { FileTransfers } from '../../src/sandbox/files.ts';
import { startSimulation } from '../../src/sandbox/simulation.ts';
import { takeDueSteps } from '../../src/sandbox/steps.ts';
import type { SimulatedHost } from '../../src/sandbox/state.ts';

const startMs = Date.parse('2026-11-21T10:00:00.000Z');
const runningMs = startMs + 5_000;

function runningHost(): SimulatedHost {
  const host = startSimulation(42, startMs);
  takeDueSteps(host, runningMs);
  host.outbox = [];
  return host;
}

let count = 0;
const nextId = () => `0199a1f0-6c1e-7a44-9d0e-${(count += 1).toString(16).padStart(12, '0')}`;

interface Sent {
  verb: BusSchemas['CommandEnvelope']['verb'];
  args?: object;
  id?: string;
  instance?: string;
  nowMs?: number;
  uploads?: ReadonlyMap<string, string>;
}

function send(host: SimulatedHost, { verb, args = {}, id = nextId(), instance = 'main', ...rest }: Sent) {
  const { nowMs = runningMs, uploads = new Map<string, string>() } = rest;
  const envelope = { v: 1, id, instance, verb, args } as unknown as BusSchemas['CommandEnvelope'];
  return takeCommand(host, envelope, nowMs, uploads);
}

/** The results that the host has reported, as status or error code. */
const results = ({ outbox }: SimulatedHost) =>
  outbox
    .filter(({ kind }) => kind === 'command-result')
    .map(({ message }) => message as { status: string; error_code?: string })
    .map(({ status, error_code }) => error_code ?? status);

const sizeOf = (host: SimulatedHost) => Buffer.byteLength(JSON.stringify(host));

const transfers = new FileTransfers();
const files = (host: SimulatedHost, verb: Parameters<FileTransfers['respond']>[1], request: object) =>
  transfers.respond(host, verb, { v: 1, instance: 'main', ...request } as never, runningMs);
const codeOf = (reply: BusSchemas['FileReply']) => (reply.ok ? 'ok' : reply.error?.code);

describe('files', () => {
  it('count with their names, and so do directories', () => {
    const host = runningHost();
    const before = sizeOf(host);
    let code: string | undefined = 'ok';
    for (let number = 0; code === 'ok' && number < 20_000; number += 1)
      code = codeOf(files(host, 'file-make-directory', { path: `${number}-${'a'.repeat(200)}` }));
    expect(code).toBe('disk_full');
    expect(sizeOf(host) - before).toBeLessThan(768 * 1024);
  });

  it('are limited in number, however short', () => {
    const host = runningHost();
    const codes = Array.from({ length: 1_001 }, (_, number) =>
      codeOf(files(host, 'file-write', { path: `f${number}`, data: '' })),
    );
    expect(codes[0]).toBe('ok');
    expect(codes.at(-1)).toBe('disk_full');
  });

  it('do not grow by a new name', () => {
    const host = runningHost();
    files(host, 'file-write', { path: 'a', data: textFile('a'.repeat(380_000)) });
    expect(codeOf(files(host, 'file-rename', { path: 'a', new_path: 'b'.repeat(40_000) }))).toBe('disk_full');
    expect(codeOf(files(host, 'file-stat', { path: 'a' }))).toBe('ok');
  });

  it.each(['constructor', '__proto__', 'toString'])('can be named %s', (path) => {
    const host = runningHost();
    expect(codeOf(files(host, 'file-stat', { path }))).toBe('not_found');
    expect(codeOf(files(host, 'file-write', { path, data: textFile('x') }))).toBe('ok');
    const stored = JSON.parse(JSON.stringify(host)) as SimulatedHost;
    expect(files(stored, 'file-read', { path })).toMatchObject({ ok: true, data: textFile('x') });
    expect(codeOf(files(stored, 'file-delete', { path }))).toBe('ok');
    expect(codeOf(files(stored, 'file-stat', { path }))).toBe('not_found');
  });

  it('are no directories, and directories no files', () => {
    const host = runningHost();
    expect(codeOf(files(host, 'file-write', { path: 'oxide', data: '' }))).toBe('wrong_type');
    expect(codeOf(files(host, 'file-write', { path: 'server.cfg/x', data: '' }))).toBe('wrong_type');
    expect(
      codeOf(files(host, 'file-rename', { path: 'server.cfg', new_path: 'oxide', overwrite: true })),
    ).toBe('wrong_type');
  });

  it('that commands write are limited, too', () => {
    const host = runningHost();
    const content = textFile('x'.repeat(200_000));
    for (const plugin of ['One', 'Two', 'Three'])
      send(host, {
        verb: 'install_plugin',
        args: { plugin, upload: 'u' },
        uploads: new Map([['u', content]]),
      });
    expect(results(host)).toEqual(['succeeded', 'disk_full', 'disk_full']);
    expect(host.servers['main']?.plugins.map(({ name }) => name)).not.toContain('Two');
    const before = structuredClone(host.files);
    const applied = { file: 'config/Big.json', present: null, upload: 'u' };
    send(host, {
      verb: 'apply_plugin_files',
      args: { files: [{ ...applied, file: 'config/Small.json', upload: 's' }, applied] },
      uploads: new Map([
        ['s', textFile('{}')],
        ['u', textFile('x'.repeat(250_000))],
      ]),
    });
    expect(results(host).at(-1)).toBe('disk_full');
    // Either all files are written, or none.
    expect(host.files).toEqual(before);
  });
});

it('bans are limited in number', () => {
  const host = runningHost();
  const banned = Array.from({ length: 1_001 }, (_, number) => String(76561197960265728n + BigInt(number)));
  for (const steam_id of banned) send(host, { verb: 'ban_player', args: { steam_id, reason: 'x' } });
  expect(results(host).slice(-2)).toEqual(['succeeded', 'limit_reached']);
  expect(host.servers['main']?.bans).toHaveLength(1_000);
});

it('plugins are limited in number', () => {
  const host = runningHost();
  for (let number = 0; number < 200; number += 1)
    send(host, { verb: 'install_module', args: { plugin: `Plugin${number}` } });
  expect(results(host)).toContain('limit_reached');
  expect(host.servers['main']?.plugins.length).toBeLessThanOrEqual(100);
});

it('work that is under way is limited', () => {
  const host = runningHost();
  for (let number = 0; number < 300; number += 1)
    send(host, { verb: 'create_backup', args: { kind: 'manual' } });
  expect(host.steps.length).toBeLessThanOrEqual(201);
  expect(results(host)).toContain('limit_reached');
});

describe('a command that arrives twice', () => {
  it.each(['type', 'create_backup', 'restart', 'wipe'] as const)('is carried out once: %s', (verb) => {
    const args = {
      type: { line: 'say hello' },
      create_backup: { kind: 'manual' },
      restart: {},
      wipe: { wipe_id: nextId(), request: { kind: 'map', countdown_seconds: 60, backup: false } },
    }[verb];
    const once = runningHost();
    const twice = structuredClone(once);
    const id = nextId();
    send(once, { verb, args, id });
    const first = send(twice, { verb, args, id });
    expect(send(twice, { verb, args, id })).toEqual(first);
    expect(twice).toEqual(once);
    takeDueSteps(twice, runningMs + 10_000);
    expect(send(twice, { verb, args, id, nowMs: runningMs + 10_000 })).toEqual(first);
    takeDueSteps(once, runningMs + 10_000);
    expect(twice).toEqual(once);
  });

  it('is remembered for as long as the platform repeats it, and the memory is limited', () => {
    const host = runningHost();
    const id = nextId();
    send(host, { verb: 'type', args: { line: 'say hello' }, id });
    for (let number = 0; number < 100; number += 1) send(host, { verb: 'type', args: { line: 'status' } });
    const { lineSeq } = host.servers['main'] ?? { lineSeq: 0 };
    send(host, { verb: 'type', args: { line: 'say hello' }, id });
    expect(host.servers['main']?.lineSeq).toBe(lineSeq);
    for (let number = 0; number < 1_000; number += 1) send(host, { verb: 'type', args: { line: 'status' } });
    expect(sizeOf({ ...host, outbox: [] })).toBeLessThan(64 * 1024);
  });
});

it('power commands that arrive while the server starts or stops are carried out one after the other', () => {
  const host = runningHost();
  const [stop, start, again] = [nextId(), nextId(), nextId()];
  send(host, { verb: 'stop', id: stop });
  send(host, { verb: 'start', id: start });
  send(host, { verb: 'restart', id: again });
  for (let seconds = 1; seconds <= 20; seconds += 1) takeDueSteps(host, runningMs + seconds * 1_000);
  const ended = host.outbox
    .filter(({ kind }) => kind === 'command-result')
    .map(({ message }) => message as { command_id: string; status: string });
  expect(ended.map(({ command_id, status }) => [command_id, status])).toEqual([
    [stop, 'succeeded'],
    [start, 'succeeded'],
    [again, 'succeeded'],
  ]);
  expect(host.servers['main']?.state).toBe('running');
  expect(host.steps.filter(({ kind }) => kind === 'players')).toHaveLength(1);
});
