// The machines of docs/patroni.md on loopback addresses of this one: its files and commands, with other addresses, directories.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asAccount, choosePostgresAccount, type Account } from '../../src/embedded/postgres-account.ts';
import { runCommand } from '../../src/embedded/run-command.ts';
import { executeOnce } from './database.ts';
import { findProgram } from './needs.ts';
import { until } from './until.ts';

const guide = resolve(import.meta.dirname, '../../docs/patroni.md');

/** The packages that the guide installs. */
export const neededPrograms: Readonly<Record<string, string>> = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  etcdctl: 'etcd-client',
  haproxy: 'haproxy',
  psql: 'postgresql-client-15',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
};

export const missingPackages = Object.entries(neededPrograms).flatMap(([program, name]) =>
  findProgram(program) === undefined ? [name] : [],
);

export type Machine = 'db1' | 'db2' | 'app';
export type DatabaseMachine = Exclude<Machine, 'app'>;
const addresses: Readonly<Record<Machine, string>> = { db1: '10.0.0.1', db2: '10.0.0.2', app: '10.0.0.3' };

interface Member {
  Member: string;
  Role: string;
  State: string;
}

/** One program on one machine. */
class Program {
  output = '';
  readonly #start: () => ChildProcess;
  #child: ChildProcess | undefined;

  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  start(): void {
    const child = this.#start();
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => (this.output += data.toString()));
    this.#child = child;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    child.kill('SIGCONT');
    await ended;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }
}

export class PatroniMachines {
  readonly #directory: string;
  readonly #account: Account | undefined;
  readonly #text: string;
  /** The second and third byte of the addresses. */
  readonly #network: string;
  readonly #programs = new Map<string, Program>();

  private constructor(directory: string, account: Account | undefined, text: string, network: string) {
    this.#directory = directory;
    this.#account = account;
    this.#text = text;
    this.#network = network;
  }

  /** Starts everything that the guide describes, in its order. */
  static async start(): Promise<PatroniMachines> {
    const account = await choosePostgresAccount([]);
    const directory = await mkdtemp(join(tmpdir(), 'gantry-pat-'));
    await chmod(directory, 0o755);
    // Several runs on one machine do not meet.
    const network = `127.${100 + (process.pid % 100)}.${1 + (Math.trunc(process.pid / 100) % 250)}`;
    const machines = new PatroniMachines(directory, account, await readFile(guide, 'utf8'), network);
    try {
      await machines.#startAll();
    } catch (error) {
      const outputs = [...machines.#programs].map(([name, { output }]) => `${name}: ${output.slice(-1_500)}`);
      await machines.stop();
      throw new Error(`the machines did not start:\n${outputs.join('\n')}`, { cause: error });
    }
    return machines;
  }

  /** The settings that the guide gives the platform. */
  get platformSettings(): Record<string, string> {
    const lines = this.#block('ini', 'DATABASE_URL=', 'app').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  }

  /** Starts Patroni, which starts PostgreSQL, and etcd. */
  async startMachine(machine: DatabaseMachine): Promise<void> {
    this.#program(machine, 'etcd').start();
    await this.#etcdIsHealthy(machine);
    this.#program(machine, 'patroni').start();
  }

  /** Ends every program of the machine at once, as a loss of power would. */
  async killMachine(machine: DatabaseMachine): Promise<void> {
    await Promise.all([this.killPatroni(machine), this.#program(machine, 'etcd').end('SIGKILL')]);
    await this.killPostgres(machine);
  }

  async killPatroni(machine: DatabaseMachine): Promise<void> {
    await this.#program(machine, 'patroni').end('SIGKILL');
  }

  startPatroni(machine: DatabaseMachine): void {
    this.#program(machine, 'patroni').start();
  }

  /** The processes of its sessions end with it. */
  async killPostgres(machine: DatabaseMachine): Promise<void> {
    const pid = await this.#postmaster(machine);
    if (pid === 0) return;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), `the end of PostgreSQL on ${machine}`);
  }

  async killEtcd(machine: Machine): Promise<void> {
    await this.#program(machine, 'etcd').end('SIGKILL');
  }

  async startEtcd(machine: Machine): Promise<void> {
    this.#program(machine, 'etcd').start();
    await this.#etcdIsHealthy(machine);
  }

  /** The machine that is the primary, once one is, and whether the other one is its synchronous standby. */
  async state(): Promise<{ primary: DatabaseMachine | undefined; synchronous: DatabaseMachine | undefined }> {
    const members = await this.members();
    const machineWith = (role: string) =>
      members.find(({ Role, State }) => Role === role && /^(running|streaming)$/.test(State))?.Member as
        DatabaseMachine | undefined;
    return { primary: machineWith('Leader'), synchronous: machineWith('Sync Standby') };
  }

  /** As the guide's command shows them. */
  async members(): Promise<Member[]> {
    const [, line = ''] = /^(patronictl .* list)$/m.exec(this.#text) ?? [];
    const output = await this.#shell(`${this.#at('app', line)} -f json`);
    return JSON.parse(output) as Member[];
  }

  async untilSynchronous(): Promise<{ primary: DatabaseMachine; standby: DatabaseMachine }> {
    return until(
      async () => {
        const { primary, synchronous } = await this.state().catch(() => ({
          primary: undefined,
          synchronous: undefined,
        }));
        return primary !== undefined && synchronous !== undefined && { primary, standby: synchronous };
      },
      'a primary with a synchronous standby',
      120_000,
    );
  }

  async configure(setting: string): Promise<void> {
    const [, config = ''] = /^patronictl -c (\S+) list$/m.exec(this.#text) ?? [];
    await this.#shell(this.#at('app', `patronictl -c ${config} edit-config --force -s ${setting}`));
  }

  /** On that machine itself, as a superuser. */
  query(machine: DatabaseMachine, sql: string): Promise<Record<string, unknown>[]> {
    const [, password = ''] = /superuser: \{ username: postgres, password: (\S+) \}/.exec(this.#text) ?? [];
    const host = this.#at(machine, addresses[machine]);
    return executeOnce(`postgres://postgres:${password}@${host}:5432/gantry`, sql);
  }

  async stop(): Promise<void> {
    const kinds = ['haproxy', 'patroni', 'etcd'];
    for (const kind of kinds)
      for (const [name, program] of this.#programs) if (name.endsWith(kind)) await program.end('SIGKILL');
    for (const machine of ['db1', 'db2'] as const) await this.killPostgres(machine);
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** What each program has written, for the message of a failing test. */
  get outputs(): string {
    return [...this.#programs].map(([name, { output }]) => `--- ${name}\n${output.slice(-3_000)}`).join('\n');
  }

  async #startAll(): Promise<void> {
    for (const machine of ['db1', 'db2', 'app'] as const) {
      const place = join(this.#directory, machine);
      await mkdir(place, { mode: 0o700 });
      await this.#own(place);
      this.#program(machine, 'etcd').start();
    }
    const blocks = [...this.#text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    const [health = '', , create = ''] = blocks;
    await this.#eventually(this.#at('app', health), 'etcd');
    for (const machine of ['db1', 'db2'] as const) {
      await this.#write(machine, 'config.yml', this.#block('yaml', 'scope: gantry', machine));
      this.#program(machine, 'patroni').start();
      await until(
        async () => (await this.members().catch(() => [])).some(({ Member }) => Member === machine),
        `Patroni on ${machine}`,
        120_000,
      );
    }
    await this.#write('app', 'haproxy.cfg', this.#block('haproxy', 'listen primary', 'app'));
    this.#program('app', 'haproxy').start();
    await this.untilSynchronous();
    await this.#eventually('psql -h 127.0.0.1 -p 5000 -U postgres -c "select 1"', 'the primary', create);
    await this.#shell(this.#at('app', create));
  }

  /** Runs a command until it succeeds; `settings` is a script whose exports it needs. */
  async #eventually(command: string, what: string, settings = ''): Promise<void> {
    const exports = settings.split('\n').filter((line) => line.startsWith('export '));
    await until(
      () =>
        this.#shell(this.#at('app', [...exports, command].join('\n'))).then(
          () => true,
          () => false,
        ),
      what,
      60_000,
    );
  }

  /** The guide's block of that language that contains the text, for that machine. */
  #block(language: string, containing: string, machine: Machine): string {
    const blocks = [...this.#text.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
    const found = blocks.find(([, kind, text]) => kind === language && text?.includes(containing));
    if (found?.[2] === undefined) throw new Error(`The guide has no ${language} block with ${containing}.`);
    return this.#at(machine, found[2]);
  }

  /** The text of db1 as the guide says to change it for another machine, with the addresses and directories of the test. */
  #at(machine: Machine, text: string): string {
    const own = text
      .split('\n')
      .map((line) =>
        /^ETCD_INITIAL_CLUSTER=|^\s+hosts:|^\s+server /.test(line) || machine === 'db1'
          ? line
          : line
              .replace(/^(ETCD_NAME=|name: )db1$/, `$1${machine}`)
              .replaceAll(/(?<=listen: |connect_address: |_URLS=http:\/\/)10\.0\.0\.1/g, addresses[machine]),
      )
      .join('\n');
    const place = join(this.#directory, machine === 'app' ? 'app' : machine);
    return (
      own
        // Every loopback address reaches the others from the first one.
        .replaceAll('10.0.0.0/24', '127.0.0.0/8')
        .replaceAll('10.0.0.', `${this.#network}.`)
        .replaceAll(/127\.0\.0\.1(?=:500[01]| -p 500[01])/g, `${this.#network}.9`)
        .replaceAll('/var/lib/postgresql/15/gantry', `${place}/data`)
        .replaceAll('/var/lib/postgresql/pgpass', `${place}/pgpass`)
        .replaceAll('/var/run/postgresql', place)
        .replaceAll('/var/lib/etcd/gantry', `${place}/etcd`)
        .replaceAll('/etc/patroni/config.yml', `${join(this.#directory, 'db1')}/config.yml`)
    );
  }

  #program(machine: Machine, kind: 'etcd' | 'patroni' | 'haproxy'): Program {
    const name = `${machine} ${kind}`;
    const known = this.#programs.get(name);
    if (known !== undefined) return known;
    const place = join(this.#directory, machine);
    const options = {
      ...asAccount(this.#account),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: place, LANG: 'C.UTF-8' },
    };
    const program = new Program(() => {
      if (kind === 'etcd')
        return spawn('etcd', { ...options, env: { ...options.env, ...this.#etcdSettings(machine) } });
      if (kind === 'patroni') return spawn('patroni', [join(place, 'config.yml')], options);
      return spawn('haproxy', ['-f', join(place, 'haproxy.cfg'), '-db'], options);
    });
    this.#programs.set(name, program);
    return program;
  }

  #etcdSettings(machine: Machine): Record<string, string> {
    const lines = this.#block('ini', 'ETCD_NAME', machine).trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  }

  #etcdIsHealthy(machine: Machine): Promise<void> {
    const health = `ETCDCTL_API=3 etcdctl --endpoints=http://${addresses[machine]}:2379 endpoint health`;
    return this.#eventually(health, `etcd on ${machine}`);
  }

  async #postmaster(machine: DatabaseMachine): Promise<number> {
    const file = join(this.#directory, machine, 'data/postmaster.pid');
    const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
    return pid > 0 && isAlive(pid) ? pid : 0;
  }

  async #write(machine: Machine, name: string, text: string): Promise<void> {
    const file = join(this.#directory, machine, name);
    await writeFile(file, text, { mode: 0o600 });
    await this.#own(file);
  }

  async #own(path: string): Promise<void> {
    if (this.#account !== undefined) await chown(path, this.#account.uid, this.#account.gid);
  }

  async #shell(script: string): Promise<string> {
    const { code, stdout, stderr } = await runCommand('bash', ['-euc', script], {
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: this.#directory },
    });
    if (code !== 0) throw new Error(`${script} ended with ${code ?? 'a signal'}: ${stdout}${stderr}`);
    return stdout;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
