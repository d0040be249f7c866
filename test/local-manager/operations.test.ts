// Stored operations when the manager ends, and what they never contain.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { OperationStore } from '../../local-manager/src/operations/operation-store.ts';
import { Operations } from '../../local-manager/src/operations/operations.ts';
import { refusal } from '../../local-manager/src/refusals.ts';
import { AuditLog } from '../../local-manager/src/security/audit-log.ts';
import { Secrets } from '../../local-manager/src/security/secrets.ts';
import { until } from '../support/until.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gantry-operations-'));
});

afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

async function open(secrets = new Secrets()): Promise<Operations> {
  const log = pino({ level: 'silent' });
  const operations = new Operations({
    store: new OperationStore(home),
    secrets,
    audit: new AuditLog(join(home, 'audit.jsonl'), log),
    log,
  });
  await operations.load();
  return operations;
}

const ended = (operations: Operations, id: string) =>
  until(() => operations.get(id).state !== 'running' && operations.get(id), 'the end');

it('are kept with their results after the manager ends', async () => {
  const first = await open();
  const { id } = first.start('stopVm', async (run) => {
    run.print('a line');
    return { summary: 'off' };
  });
  await ended(first, id);
  await first.stop();
  const second = await open();
  expect(second.get(id)).toMatchObject({ state: 'succeeded', result: { summary: 'off' } });
  expect((await second.linesOf(id, 0)).lines.map(({ text }) => text)).toEqual(['a line']);
});

it('are reported as interrupted when the manager was killed', async () => {
  const killed = await open();
  const { id } = killed.start('reset', (run) => run.step('Wait', () => new Promise(() => undefined)));
  const file = join(home, 'operations', `${id}.json`);
  await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('Wait'), 'the file');
  expect((await open()).get(id)).toMatchObject({
    state: 'interrupted',
    isCancellable: false,
    steps: [{ name: 'Wait', state: 'failed', endedAt: expect.any(String) }],
  });
});

it('tolerate truncated and foreign files at start', async () => {
  mkdirSync(join(home, 'operations'));
  writeFileSync(join(home, 'operations', '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09.json'), '{"id":');
  writeFileSync(join(home, 'operations', 'other.json'), '{}');
  expect((await open()).list()).toEqual([]);
});

it('fail with the refusal, without secrets, and without internal details', async () => {
  const secrets = new Secrets();
  secrets.add('open sesame');
  const operations = await open(secrets);
  const refused = operations.start('stopVm', async () => {
    throw refusal('guest_failed', 'it said open sesame');
  });
  expect(await ended(operations, refused.id)).toMatchObject({
    problem: { code: 'guest_failed', detail: 'it said •••' },
  });
  const broken = operations.start('stopVm', async () => {
    throw new Error('a line of code');
  });
  expect(JSON.stringify(await ended(operations, broken.id))).not.toContain('a line of code');
});

it('are limited to the last fifty', async () => {
  const operations = await open();
  for (let count = 0; count < 53; count += 1)
    await ended(operations, operations.start('stopVm', async () => ({})).id);
  await operations.stop();
  expect(operations.list()).toHaveLength(50);
  expect((await open()).list()).toHaveLength(50);
});
