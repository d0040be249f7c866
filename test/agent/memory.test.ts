// What the agent remembers on disk, and for how long.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Journal } from '../../agent/src/commands/journal.ts';
import { uuidv7, Messages } from '../../agent/src/messages.ts';
import type { CommandEnvelope, CommandResult, InstanceStateChange } from '../../agent/src/messages.ts';
import { Outbox } from '../../agent/src/outbox.ts';
import { until } from '../support/until.ts';

const messages = new Messages();
const log = pino({ level: 'silent' });
const dayMs = 24 * 3600_000;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-agent-memory-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function command(ageDays: number): CommandEnvelope {
  const at = new Date(Date.now() - ageDays * dayMs).toISOString();
  const where = { host_id: randomUUID(), instance: 'main', verb: 'start' as const };
  return { v: 1, id: uuidv7(), ...where, args: {}, issued_at: at, expires_at: at };
}
const result = (id: string): CommandResult => ({
  v: 1,
  command_id: id,
  status: 'succeeded',
  finished_at: new Date().toISOString(),
});

test('commands are remembered for a week after their end, and longer while their result waits', async () => {
  const path = join(directory, 'journal.jsonl');
  const [young, old, waiting] = [command(7), command(9), command(9)];
  const records = [young, old, waiting].flatMap((entry) => [
    { is: 'accepted', at: Date.parse(entry.issued_at), command: entry },
    { is: 'started', at: Date.parse(entry.issued_at), id: entry.id },
    { is: 'finished', id: entry.id, result: result(entry.id) },
    ...(entry === waiting ? [] : [{ is: 'delivered', id: entry.id }]),
  ]);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  for (let life = 0; life < 2; life += 1) {
    const journal = await Journal.open(path, messages, log);
    expect([young, old, waiting].map(({ id }) => journal.get(id)?.result?.command_id)).toEqual([
      young.id,
      undefined,
      waiting.id,
    ]);
    await journal.close();
  }
});

test('the outbox keeps all results, the newest states of each instance, and their order', async () => {
  const path = join(directory, 'outbox.jsonl');
  const sent: { kind: string; body: unknown }[] = [];
  let isOpen = false;
  const open = () =>
    Outbox.open({
      path,
      messages,
      isOpen: () => isOpen,
      request: async (kind, body) => {
        sent.push({ kind, body });
        return JSON.stringify({ v: 1, ok: sent.length % 2 === 0 });
      },
      onResultDelivered: () => undefined,
      log,
    });
  const change = (seq: number): InstanceStateChange => ({
    v: 1,
    id: uuidv7(),
    boot: randomUUID(),
    seq,
    instance: 'main',
    state: seq % 2 === 0 ? 'running' : 'stopped',
    at: new Date().toISOString(),
  });
  const first = await open();
  const ids = Array.from({ length: 60 }, () => uuidv7());
  for (const [index, id] of ids.entries()) {
    first.addState(change(index + 1));
    first.addResult(result(id));
    first.addResult(result(id));
  }
  await first.close();

  const second = await open();
  expect([second.size, second.lastState('main')]).toEqual([110, 'running']);
  isOpen = true;
  second.flush();
  await until(() => second.size === 0, 'the outbox to be empty');
  const bodies = sent.map(({ body }) => body as Partial<InstanceStateChange & CommandResult>);
  expect(bodies.flatMap(({ command_id }) => command_id ?? [])).toEqual(ids);
  expect(bodies.flatMap(({ seq }) => seq ?? [])).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 11),
  );
  await second.close();
  const third = await open();
  expect([third.size, third.lastState('main')]).toEqual([0, 'running']);
  await third.close();
});
