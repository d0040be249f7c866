// Tries on this machine what the agent relies on: files, long paths, and processes that are started, typed to and ended.
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode, SettingError } from './errors.ts';
import { messageOf } from './supervisor/outcome.ts';
import { processHostFor } from './supervisor/process-host-for.ts';
import type { HostedProcess, ProcessHost, ProcessIdentity } from './supervisor/process-host.ts';
import { publishDurably, replaceDurably } from './state-files/durable-file.ts';

const stepLimitMs = 15_000;
const pollMs = 50;

interface Step {
  name: string;
  run: () => Promise<void>;
}

/** `gantry-agent selftest [DIRECTORY]`. Returns the exit code: 0 if every step succeeded. */
export async function selftestFromCommandLine([parent = tmpdir()]: string[]): Promise<number> {
  const directory = await mkdtemp(join(parent, 'gantry-selftest-')).catch((error: unknown) => {
    throw new SettingError(`${parent} cannot be written to: ${messageOf(error)}`);
  });
  const server = new TestServer(processHostFor(process.platform), directory);
  let failureCount = 0;
  try {
    for (const { name, run } of [...fileSteps(directory), ...server.steps]) {
      const fault = await outcomeOf(run);
      if (fault !== undefined) failureCount += 1;
      process.stdout.write(fault === undefined ? `ok      ${name}\n` : `FAILED  ${name}: ${fault}\n`);
    }
  } finally {
    await server.end();
    // A process that could not be ended holds its directory on Windows.
    await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch((error: unknown) => {
      failureCount += 1;
      process.stdout.write(`FAILED  the directory of the test is removed: ${messageOf(error)}\n`);
    });
  }
  process.stdout.write(
    failureCount === 0
      ? 'This machine does everything that the agent relies on.\n'
      : `${failureCount} of the steps failed; the agent cannot be relied on here.\n`,
  );
  return failureCount === 0 ? 0 : 1;
}

const outcomeOf = (run: () => Promise<void>): Promise<string | undefined> =>
  run().then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );

async function until(isReached: () => Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + stepLimitMs;
  while (!(await isReached())) {
    if (performance.now() > endsAtMs) throw new Error(`it took more than ${stepLimitMs / 1000} seconds`);
    await pause(pollMs);
  }
}

function fileSteps(directory: string): Step[] {
  const file = join(directory, 'state.json');
  return [
    {
      name: 'a file is replaced durably',
      run: async () => {
        await replaceDurably(file, 'first');
        await replaceDurably(file, 'second');
        if ((await readFile(file, 'utf8')) !== 'second') throw new Error('it has its former content');
      },
    },
    {
      name: 'a file is replaced while another program reads it',
      run: async () => {
        const reader = openSync(file, 'r');
        try {
          await replaceDurably(file, 'third');
        } finally {
          closeSync(reader);
        }
      },
    },
    {
      name: 'a path of more than 260 characters is written and renamed',
      run: async () => {
        const deep = join(directory, ...Array.from({ length: 10 }, (_, index) => `${index}`.repeat(30)));
        await mkdir(deep, { recursive: true });
        await writeFile(join(deep, 'save.new'), 'world');
        await publishDurably(join(deep, 'save.new'), join(deep, 'save'));
        if ((await readFile(join(deep, 'save'), 'utf8')) !== 'world') throw new Error('its content differs');
      },
    },
  ];
}

/** A process in the place of a game server: this program again, as `selftest-server`. */
class TestServer {
  readonly #host: ProcessHost;
  readonly #directory: string;
  #process: HostedProcess | undefined;
  #identity: ProcessIdentity | undefined;

  constructor(host: ProcessHost, directory: string) {
    this.#host = host;
    this.#directory = directory;
  }

  get steps(): Step[] {
    return [
      { name: 'a process is started', run: () => this.#start() },
      { name: 'a process is recognized by its pid and start time', run: () => this.#recognize() },
      { name: 'a process reads a line and prints it', run: () => this.#type() },
      { name: 'a process ends when it is asked to', run: () => this.#ask() },
      { name: 'a process that does not react is ended', run: () => this.#kill() },
    ];
  }

  async end(): Promise<void> {
    if (this.#identity === undefined) await this.#killUnidentified();
    else if (!(await this.#isGone())) await this.#host.killAll([this.#identity.pid], this.#identity);
  }

  /** For machines on which the step that identifies the process has failed. */
  async #killUnidentified(): Promise<void> {
    if (this.#process === undefined) return;
    try {
      process.kill(this.#process.pid, 'SIGKILL');
    } catch (error) {
      if (!hasCode(error, 'ESRCH')) throw error;
    }
    let hasEnded = false;
    void this.#process.ended.then(() => (hasEnded = true));
    await until(async () => hasEnded);
  }

  async #start(): Promise<void> {
    const program = isSea() ? [] : [process.argv[1] ?? ''];
    let pid = 0;
    const started = await this.#host.spawn(
      {
        command: process.execPath,
        args: [...program, 'selftest-server'],
        cwd: this.#directory,
        env: Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ''])),
        marker: `selftest-${process.pid}`,
        stdoutFile: this.#file('stdout'),
        stderrFile: this.#file('stderr'),
        inputFile: this.#file('input'),
      },
      (known) => (pid = known),
    );
    this.#process = started;
    this.#identity = (await this.#host.identify(pid)) ?? undefined;
    await this.#untilPrinted('ready');
  }

  async #recognize(): Promise<void> {
    const { pid, mark } = this.#known;
    const again = await this.#host.identify(pid);
    if (again?.mark !== mark) throw new Error('its start time differs at the second look');
    const survivors = await this.#host.survivors(`selftest-${process.pid}`, this.#known);
    if (!survivors.includes(pid)) throw new Error('it is not among the processes of its run');
  }

  async #type(): Promise<void> {
    this.#process?.writeLine('a line with ümläuts');
    await this.#untilPrinted('read: a line with ümläuts');
  }

  async #ask(): Promise<void> {
    await this.#host.askToEnd(this.#known, 'SIGTERM');
    await this.#untilGone();
  }

  async #kill(): Promise<void> {
    if (await this.#isGone()) await this.#start();
    await this.#host.killAll([this.#known.pid], this.#known);
    await this.#untilGone();
  }

  get #known(): ProcessIdentity {
    if (this.#identity === undefined) throw new Error('no process was started');
    return this.#identity;
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }

  async #isGone(): Promise<boolean> {
    const { pid, mark } = this.#known;
    return (await this.#host.identify(pid))?.mark !== mark;
  }

  async #untilGone(): Promise<void> {
    await until(() => this.#isGone());
  }

  async #untilPrinted(text: string): Promise<void> {
    const file = this.#file('stdout');
    await until(async () => existsSync(file) && (await readFile(file, 'utf8')).includes(text));
  }
}

/** Prints what it reads until it is ended. */
export async function runSelftestServer(): Promise<void> {
  process.stdout.write('ready\n');
  process.stdin.setEncoding('utf8');
  for await (const text of process.stdin) process.stdout.write(`read: ${String(text)}`);
  await new Promise(() => setInterval(() => undefined, stepLimitMs)); // its input may end before it does
}
