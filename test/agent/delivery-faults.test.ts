// Writes of the deliveries' file that fail, each in each way: nothing typed is forgotten, and nothing untyped is uncertain.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { deliveryCommands } from '../../agent/src/deliveries/delivery-commands.ts';
import { DeliveryRecords } from '../../agent/src/deliveries/delivery-records.ts';
import { NoRoomError, type AppendLogOptions } from '../../agent/src/state-files/append-log.ts';
import { Messages } from '../../agent/src/messages.ts';
import { RconError } from '../../agent/src/rcon/connection.ts';
import type { Outcome } from '../../agent/src/supervisor/outcome.ts';
import { Disk, fullBeyond, leftovers } from './support/faulty-disk.ts';

const log = pino({ level: 'silent' });
const messages = new Messages();
const steamId = '76561198000000001';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-deliveries-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const openRecords = (path: string, openFile?: AppendLogOptions['openFile']) =>
  DeliveryRecords.open(path, messages, log, openFile);

/** A game server that takes what is typed, or to which nothing of a delivery can be written. */
function game({ isReachable }: { isReachable: boolean }) {
  const typed: string[] = [];
  const rcon = {
    listen: () => () => undefined,
    requestTogether: (lines: readonly string[]) => {
      if (lines.length > 1 && !isReachable) throw new RconError('silent', 'Too many commands wait.');
      if (lines.length > 1) typed.push(...lines.slice(1, -1));
      return lines.map(() => Promise.resolve(''));
    },
  };
  return { typed, instance: { context: { rcon }, pid: 1, startedAtMs: 1, state: 'running' } };
}

function carryOut(
  records: DeliveryRecords,
  id: string,
  { instance }: ReturnType<typeof game>,
): Promise<Outcome> {
  const args = {
    delivery_id: id,
    steam_id: steamId,
    player_name: 'Ada',
    item_name: 'VIP',
    quantity: 1,
    transaction_id: randomUUID(),
    commands: ['give {steam_id}'],
    needs_online_player: false,
  };
  return deliveryCommands(records).deliver.run(
    { args } as never,
    instance as never,
    new AbortController().signal,
  );
}

const failures = ['ENOSPC', 'EIO'].flatMap((code) =>
  leftovers.flatMap((leaves) => [1, 2, 3, 4].map((from) => ({ code, leaves, from }))),
);

it.each([true, false])(
  'reports what the next agent finds on the disk, whichever write fails (game reachable: %s)',
  async (isReachable) => {
    const found = await Promise.all(
      failures.map(async (failing) => {
        const path = join(directory, `${failing.code}-${failing.leaves}-${failing.from}`);
        const disk = new Disk(failing);
        const records = await openRecords(path, disk.open);
        const server = game({ isReachable });
        const id = randomUUID();
        let isReported = false;
        const outcome = carryOut(records, id, server)
          .catch((): Outcome => ({ isSuccess: false, errorCode: 'internal', detail: '' }))
          .finally(() => (isReported = true));
        await disk.failed;
        for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
        const isReportedEarly = isReported;
        disk.isMended = true;
        const reported = (await outcome).isSuccess;
        await records.close();

        const next = await openRecords(path);
        const record = next.get(id);
        await next.close();
        return {
          ...failing,
          isReportedEarly,
          isTyped: server.typed.length > 0,
          reported,
          remembered: record === undefined ? 'nothing' : record.outcome?.isSuccess,
        };
      }),
    );
    expect(found).toEqual(
      failures.map((failing) => {
        const isTyped = isReachable && failing.from > 2;
        return {
          ...failing,
          isReportedEarly: false,
          isTyped,
          reported: isTyped,
          remembered: isTyped ? true : 'nothing',
        };
      }),
    );
  },
);

it('types nothing where the disk has no room for the end, and says so', async () => {
  const records = await openRecords(join(directory, 'full'), fullBeyond(66 * 1024));
  const server = game({ isReachable: true });
  const outcomes: Outcome[] = [];
  // What was reserved when the file was made takes some.
  for (let number = 0; number < 1_000 && outcomes.at(-1)?.isSuccess !== false; number += 1)
    outcomes.push(await carryOut(records, randomUUID(), server));
  expect(outcomes.at(-1)).toMatchObject({ errorCode: 'disk_full' });
  expect(server.typed).toHaveLength(outcomes.length - 1);
  await records.close();
});

it('begins no more deliveries than it can write the ends of', async () => {
  const path = join(directory, 'full');
  const records = await openRecords(path, fullBeyond(160 * 1024));
  const begun: string[] = [];
  await expect(
    (async () => {
      for (;;) {
        const id = randomUUID();
        await records.begin(id, 1);
        begun.push(id);
      }
    })(),
  ).rejects.toBeInstanceOf(NoRoomError);
  expect(begun.length).toBeGreaterThan(10);
  for (const id of begun) await records.end(id, { isSuccess: true, detail: '\u0001'.repeat(1_000) });
  await records.close();
  const next = await openRecords(path);
  expect(begun.filter((id) => next.get(id)?.outcome?.isSuccess !== true)).toEqual([]);
  await next.close();
});

it('gives up writing when the agent ends', async () => {
  const records = await openRecords(
    join(directory, 'ended'),
    new Disk({ from: 3, code: 'EIO', leaves: 'nothing' }).open,
  );
  const server = game({ isReachable: true });
  const outcome = carryOut(records, randomUUID(), server);
  const refused = expect(outcome).rejects.toThrow();
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
  await records.close();
  await refused;
  expect(server.typed).toEqual([`give ${steamId}`]);
});
