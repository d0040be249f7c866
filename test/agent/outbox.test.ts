// The agent's outbox where its disk lets nothing be written.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Messages } from '../../agent/src/messages.ts';
import { Outbox } from '../../agent/src/outbox.ts';

const directory = mkdtempSync(join(tmpdir(), 'gantry-outbox-'));
const path = join(directory, 'state', 'outbox.jsonl');

afterAll(() => rmSync(directory, { recursive: true }));

test('a report of a wipe that cannot be kept is refused; kept at another try, it is there once', async () => {
  mkdirSync(join(directory, 'state'));
  const options = {
    path,
    messages: new Messages(),
    isOpen: () => false,
    request: () => Promise.reject(new Error('no receiver')),
    onResultDelivered: () => undefined,
    log: pino({ enabled: false }),
  };
  const outbox = await Outbox.open(options);
  rmSync(join(directory, 'state'), { recursive: true });
  const wipe_id = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01';
  const report = { v: 1, wipe_id, seq: 2, status: 'completed', at: new Date().toISOString() } as const;
  await expect(outbox.addWipeReport(report)).rejects.toThrow('The outbox cannot be written.');
  mkdirSync(join(directory, 'state'));
  await outbox.addWipeReport(report);
  expect(outbox.size).toBe(1);
  await outbox.close();
  expect(readFileSync(path, 'utf8').match(/"seq":2/g)).toHaveLength(1);
  const next = await Outbox.open(options);
  expect(next.size).toBe(1);
  await next.close();
});
