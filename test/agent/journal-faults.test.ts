// Writes of the journal that fail, each of them and in each way: what was reported as ended is never carried out later.
import { constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Msg } from '@nats-io/transport-node';
import { pino } from 'pino';
import { PlatformClock } from '../../agent/src/clock.ts';
import { Subjects } from '../../agent/src/bus/subjects.ts';
import { CommandExecutor } from '../../agent/src/commands/executor.ts';
import { CommandIntake } from '../../agent/src/commands/intake.ts';
import { Journal, type JournalEntry } from '../../agent/src/commands/journal.ts';
import { AppendLog, NoRoomError, type LogFile } from '../../agent/src/state-files/append-log.ts';
import { Messages, type CommandEnvelope, type CommandResult } from '../../agent/src/messages.ts';
import type { Outbox } from '../../agent/src/outbox.ts';
import { powerCommands } from '../../agent/src/commands/power-commands.ts';
import type { CommandHandlers } from '../../agent/src/commands/command-handler.ts';
import type { Instance } from '../../agent/src/supervisor/instance.ts';
import { Disk, fullBeyond, leftovers } from './support/faulty-disk.ts';

const log = pino({ level: 'silent' });
/** Only these commands are sent. */
const handlers = powerCommands(() => undefined) as CommandHandlers;
const messages = new Messages();
const later = new Date(Date.now() + 3_600_000).toISOString();

const ids = [1, 2, 3, 4].map((number) => `0199a1f0-6c1e-7a44-9d0e-00000000000${number}`);

const restart = (id: string): CommandEnvelope & { instance: string } => ({
  v: 1,
  id,
  host_id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01',
  instance: `main-${id.slice(-1)}`,
  verb: 'restart',
  args: {},
  issued_at: new Date().toISOString(),
  expires_at: later,
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-journal-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));
const path = () => join(directory, 'journal.jsonl');

/** A clock whose time the platform has sent; it equals this host's. */
function knownClock(): PlatformClock {
  const clock = new PlatformClock(log);
  clock.learn(new Date().toISOString(), performance.now());
  return clock;
}

/** An agent as far as its commands go, on that disk. */
class Agent {
  static readonly done: string[] = [];
  readonly results: CommandResult[] = [];
  readonly executor: CommandExecutor;
  readonly #journal: Journal;
  #settled: (() => void)[] = [];

  private constructor(journal: Journal) {
    this.#journal = journal;
    const instance = (name: string) =>
      ({
        name,
        pid: null,
        state: 'stopped',
        restart: () => {
          Agent.done.push(name);
          return Promise.resolve({ isSuccess: true, detail: 'It runs.' });
        },
      }) as unknown as Instance;
    this.executor = new CommandExecutor({
      journal,
      outbox: {
        addResult: (result: CommandResult) => {
          this.results.push(result);
          for (const settle of this.#settled) settle();
        },
      } as unknown as Outbox,
      instance,
      handlers,
      objectionTo: () => null,
      clock: knownClock(),
      log,
    });
  }

  static async start(disk: Disk): Promise<Agent> {
    const agent = new Agent(await Journal.open(path(), messages, log, disk.open));
    await agent.executor.recover();
    return agent;
  }

  /** Resolves with the results once there are so many. */
  async ended(count: number): Promise<CommandResult[]> {
    while (this.results.length < count) await new Promise<void>((settle) => this.#settled.push(settle));
    return this.results;
  }

  /** As when it is killed: nothing of it is written any more. */
  async kill(): Promise<void> {
    this.executor.close();
    await this.#journal.close();
  }
}

beforeEach(() => Agent.done.splice(0));

/** Reads the journal as the next agent does. */
async function nextAgent(): Promise<Agent> {
  return Agent.start(new Disk());
}

const failures = ['ENOSPC', 'EIO'].flatMap((code) =>
  leftovers.flatMap((leaves) =>
    Array.from({ length: 8 }, (_item, index) => ({ code, leaves, from: index + 1 })),
  ),
);

it.each(failures)(
  '$code from operation $from on, leaving $leaves: nothing reported is carried out again',
  async (failing) => {
    const disk = new Disk(failing);
    const agent = await Agent.start(disk);
    const accepted: string[] = [];
    for (const id of ids)
      await agent.executor.accept(restart(id)).then(
        () => accepted.push(id),
        () => undefined,
      );
    // Everything that it does while the disk fails is done once the event loop is idle.
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    const reported = agent.results.map(({ command_id: id }) => id);
    const doneBefore = Agent.done.splice(0);
    await agent.kill();

    const next = await nextAgent();
    await next.ended(accepted.length);
    await next.kill();
    expect(next.results.map(({ command_id: id }) => id)).toEqual(expect.arrayContaining(accepted));
    const ended = [...reported, ...ids.filter((id) => doneBefore.includes(restart(id).instance))];
    expect(Agent.done.filter((name) => ended.some((id) => restart(id).instance === name))).toEqual([]);
    for (const done of [doneBefore, Agent.done]) expect(new Set(done).size).toBe(done.length);
    for (const { command_id: id, status } of agent.results)
      expect(next.results.find(({ command_id }) => command_id === id)?.status).toBe(status);
  },
);

it('has nothing on disk of a command by the time that it says it refuses it', async () => {
  // The record is written, and its sync fails: the agent does not reply, and the platform sends the command again.
  const disk = new Disk({ from: 2, code: 'EIO', leaves: 'everything' });
  const agent = await Agent.start(disk);
  const command = restart(ids[0] ?? '');
  const subjects = new Subjects('gantry', command.host_id);
  let hasInstance = true;
  const intake = new CommandIntake({
    executor: agent.executor,
    handlers,
    messages,
    clock: knownClock(),
    hasInstance: () => hasInstance,
    log,
  });
  const replies: string[] = [];
  const send = () =>
    intake.take(
      {
        subject: `gantry.${command.host_id}.cmd.restart`,
        string: () => JSON.stringify(command),
        reply: '_INBOX.platform',
        respond: (reply: string) => {
          replies.push(reply);
          return true;
        },
      } as unknown as Msg,
      { hostId: command.host_id, subjects },
    );
  await send();
  expect(replies).toEqual([]);
  expect(await readFile(path(), 'utf8')).toContain(command.id);
  // By then the instance is gone. While the disk still fails, no refusal can be relied on either.
  hasInstance = false;
  await send();
  expect(replies).toEqual([]);
  disk.isMended = true;
  await send();
  expect(replies.map((reply) => JSON.parse(reply) as unknown)).toMatchObject([
    { accepted: false, reason: 'unknown_instance' },
  ]);
  await agent.kill();

  const next = await nextAgent();
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(Agent.done).toEqual([]);
  expect(next.results).toEqual([]);
  await next.kill();
});

it('reports an end only once it is on disk, and then it does', async () => {
  const disk = new Disk({ from: 3, code: 'EIO', leaves: 'everything' });
  const agent = await Agent.start(disk);
  await agent.executor.accept(restart(ids[0] ?? ''));
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(agent.results).toEqual([]);
  disk.isMended = true;
  expect(await agent.ended(1)).toMatchObject([{ status: 'failed', error_code: 'internal' }]);
  expect(await readFile(path(), 'utf8')).toContain('"is":"finished"');
  expect(Agent.done).toEqual([]);
  await agent.kill();
});

it('takes the ends of what it has accepted where the disk has no room, and accepts nothing more', async () => {
  const file = new AppendLog(path(), { reserveBytes: 4_096, openFile: fullBeyond(20_000) });
  await file.rewrite(() => []);
  const accept = (number: number) =>
    file.append({ is: 'accepted', number, text: 'x'.repeat(1_000) }, { leavingBytes: 2_000 });
  let count = 0;
  await expect(
    (async () => {
      for (;;) {
        await accept(count);
        count += 1;
      }
    })(),
  ).rejects.toBeInstanceOf(NoRoomError);
  expect(count).toBeGreaterThan(2);
  await file.append({ is: 'finished', text: 'y'.repeat(1_900) });
  await file.close();
  const records = await new AppendLog(path()).read(log);
  expect(records).toHaveLength(count + 1);
  expect(records.at(-1)).toMatchObject({ is: 'finished' });
});

describe('on a disk that is nearly full', () => {
  const numbered = (number: number) => `0199a1f0-6c1e-7a44-9d0e-${String(number).padStart(12, '0')}`;

  async function finishAll(journal: Journal, accepted: readonly JournalEntry[]): Promise<void> {
    for (const entry of accepted) {
      await journal.start(entry);
      const { id } = entry.command;
      const result = { v: 1, command_id: id, status: 'failed', detail: 'x'.repeat(1_000) } as const;
      await journal.finish(entry, { ...result, finished_at: later, error_code: 'internal' });
      await journal.deliver(id);
    }
  }

  it('accepts no more commands than it can write the ends of', async () => {
    const journal = await Journal.open(path(), messages, log, fullBeyond(300 * 1024));
    const accepted: JournalEntry[] = [];
    await expect(
      (async () => {
        for (;;) accepted.push(await journal.accept(restart(numbered(accepted.length))));
      })(),
    ).rejects.toBeInstanceOf(NoRoomError);
    expect(accepted.length).toBeGreaterThan(10);
    await finishAll(journal, accepted);
    await journal.close();
  });

  it('counts those that come at the same moment as well', async () => {
    const journal = await Journal.open(path(), messages, log, fullBeyond(300 * 1024));
    const burst = await Promise.allSettled(
      Array.from({ length: 400 }, (_, number) => journal.accept(restart(numbered(number)))),
    );
    const accepted = burst.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(accepted.length).toBeLessThan(burst.length);
    accepted.push(await journal.accept(restart(numbered(burst.length))));
    await finishAll(journal, accepted);
    await journal.close();
  });
});

it('erases what a failed append has left with the next one that succeeds', async () => {
  const disk = new Disk({ from: 2, code: 'EIO', leaves: 'everything' });
  const file = new AppendLog(path(), { openFile: disk.open });
  await expect(file.append({ is: 'rejected', text: 'x'.repeat(500) })).rejects.toThrow('injected');
  expect(await new AppendLog(path()).read(log)).toHaveLength(1);
  await expect(file.erase()).rejects.toThrow('injected');
  disk.isMended = true;
  await file.erase();
  expect(await new AppendLog(path()).read(log)).toEqual([]);
  await file.append({ is: 'kept' });
  await file.close();
  expect(await new AppendLog(path()).read(log)).toEqual([{ is: 'kept' }]);
});

it('erases what a failed append has left though the file could not be rewritten meanwhile', async () => {
  const disk = new Disk({ from: 3, code: 'EIO', leaves: 'everything' });
  const file = new AppendLog(path(), { openFile: disk.open });
  await file.append({ is: 'kept' });
  await expect(file.append({ is: 'rejected' })).rejects.toThrow('injected');
  mkdirSync(`${path()}.new`);
  await expect(file.rewrite(() => [{ is: 'kept' }])).rejects.toThrow();
  disk.isMended = true;
  await file.erase();
  await file.close();
  expect(await new AppendLog(path()).read(log)).toEqual([{ is: 'kept' }]);
});

it('has every record on disk before its append resolves', async () => {
  const steps: string[] = [];
  const file = new AppendLog(path(), {
    openFile: async (name) => {
      const opened = await open(name, constants.O_RDWR | constants.O_CREAT, 0o600);
      return {
        write: (async (...args: Parameters<typeof opened.write>) => {
          steps.push('written');
          return opened.write(...args);
        }) as unknown as LogFile['write'],
        datasync: async () => {
          await opened.datasync();
          steps.push('synced');
        },
        close: () => opened.close(),
      };
    },
  });
  await file.append({ number: 1 }).then(() => steps.push('acknowledged'));
  await file.append({ number: 2 }).then(() => steps.push('acknowledged'));
  await file.close();
  expect(steps).toEqual(['written', 'synced', 'acknowledged', 'written', 'synced', 'acknowledged']);
});

it('continues after the last whole line of a file that ends within one', async () => {
  writeFileSync(path(), '{"number":1}\n{"number":2,"text":"' + 'x'.repeat(100));
  const file = new AppendLog(path());
  expect(await file.read(log)).toEqual([{ number: 1 }]);
  await file.append({ number: 3 });
  await file.close();
  expect(readFileSync(path(), 'utf8').trimEnd()).toBe('{"number":1}\n{"number":3}');
  expect(await new AppendLog(path()).read(log)).toEqual([{ number: 1 }, { number: 3 }]);
});
