// Runs scripts in the virtual machine with the system's ssh, and tells whether they worked.
import { randomUUID } from 'node:crypto';
import { maxKept, runProgram, type ProgramEnd } from '../processes.ts';
import { refusal } from '../refusals.ts';
import { quoted } from './quoting.ts';
import { sshRefusal } from './ssh-errors.ts';

export interface GuestAddress {
  host: string;
  port: number;
  user: string;
  /** Names the virtual machine whatever its address is: its host key belongs to it, not to an address. */
  alias: string;
  knownHostsFile: string;
  keyFile: string;
  /** Where people find that key. */
  keySource: string;
  /** Whether the key can only be used with a passphrase, which nobody is there to type. */
  isKeyEncrypted: boolean;
}

export interface GuestScript {
  /** Text for the guest's sh. Values go into `values`, never into it. */
  script: string;
  /** Its $1, $2 and so on. */
  values?: readonly string[];
  input?: string | Uint8Array;
  /** Whether it wants a terminal; what is typed there is echoed. */
  wantsTerminal?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  onLine?: (line: string) => void;
  onText?: (text: string, answer: (line: string) => void) => void;
}

export interface GuestEnd {
  exitCode: number;
  /** What it printed, with plain line ends. */
  stdout: string;
  stderr: string;
}

const usualTimeoutMs = 30_000;

export class GuestShell {
  readonly #executable: string;
  readonly #address: GuestAddress;

  constructor(executable: string, address: GuestAddress) {
    this.#executable = executable;
    this.#address = address;
  }

  get host(): string {
    return this.#address.host;
  }

  /** Runs the script to its end, whatever that is; throws a refusal when there is no way in, or no end in time. */
  async run(task: GuestScript): Promise<GuestEnd> {
    const { script, values = [], input, wantsTerminal = false, timeoutMs = usualTimeoutMs, signal } = task;
    const mark = `__GANTRY_${randomUUID()}__`;
    const isMark = (line: string) => line.includes(mark);
    const end = await runProgram({
      file: this.#executable,
      args: [...this.#options(wantsTerminal), this.#address.host, marked(mark, script, values)],
      input: input ?? (wantsTerminal && task.onText === undefined ? '' : undefined),
      timeoutMs,
      signal,
      onLine: (line) => {
        if (!isMark(line)) task.onLine?.(line.replace(/\r$/, ''));
      },
      onText: task.onText,
    }).catch((error: unknown) => {
      throw refusal('guest_failed', `ssh can not be started: ${this.#executable}.`, { cause: error });
    });
    if (signal?.aborted === true) throw signal.reason;
    if (end.hasTimedOut)
      throw refusal('guest_failed', `The virtual machine did not end within ${timeoutMs / 1000} seconds.`);
    return judged(end, mark, wantsTerminal, this.#address);
  }

  /** The same, for scripts that print what is asked for: any end but success is a refusal. */
  async read(task: GuestScript): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(task);
    if (exitCode === 0 && stdout.length > maxKept / 2)
      throw refusal('guest_failed', 'The virtual machine printed more than is kept.');
    if (exitCode === 0) return stdout;
    const said = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n').slice(-500);
    throw refusal('guest_failed', said === '' ? `The command ended with ${exitCode}.` : said);
  }

  #options(wantsTerminal: boolean): string[] {
    // Only with INFO does ssh say how a session with a terminal has ended.
    const { port, user, alias, knownHostsFile, keyFile } = this.#address;
    const settings = [
      'BatchMode=yes',
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      'PreferredAuthentications=publickey',
      'ConnectTimeout=8',
      'ServerAliveInterval=15',
      'ServerAliveCountMax=4',
      `LogLevel=${wantsTerminal ? 'INFO' : 'ERROR'}`,
      `HostKeyAlias=${alias}`,
      `UserKnownHostsFile="${settingPath(knownHostsFile)}"`,
      'StrictHostKeyChecking=accept-new',
    ];
    return [
      ...['-F', 'none', wantsTerminal ? '-tt' : '-T', '-i', keyFile, '-p', String(port), '-l', user],
      ...settings.flatMap((setting) => ['-o', setting]),
      '--',
    ];
  }
}

/** A path as a setting of ssh: % begins a placeholder there, and a backslash may hide what follows it. */
function settingPath(path: string): string {
  const plain = path.replaceAll('%', '%%');
  return process.platform === 'win32' ? plain.replaceAll('\\', '/') : plain;
}

/** The remote command: the script, and after it a line that nobody else can print, with its exit code. */
function marked(mark: string, script: string, values: readonly string[]): string {
  const call = ['sh', '-c', script, 'gantry', ...values].map(quoted).join(' ');
  return `${call}; rc=$?; printf '\\n%s %s\\n' ${quoted(mark)} "$rc"; exit "$rc"`;
}

/** All that ssh says when a session with a terminal has ended as it should. */
const closedNotice = /^Connection to \S+ closed\.\s*$/;
/** What it says besides when it is asked to say more than errors. */
const remarks = /^(Warning: Permanently added |\*\* ).*\n/gm;

/**
 * The mark tells the exit code. Where it is missing the script has not ended, unless a session with a terminal printed
 * something and was closed with nothing but the usual notice: that one counts as a success.
 */
export function judged(end: ProgramEnd, mark: string, hasTerminal: boolean, address: GuestAddress): GuestEnd {
  const stdout = end.stdout.replaceAll('\r\n', '\n');
  const stderr = end.stderr.replaceAll('\r\n', '\n');
  const at = stdout.lastIndexOf(`\n${mark} `);
  const exitCode = /^(\d{1,3})\n/.exec(stdout.slice(at + mark.length + 2))?.[1];
  if (at >= 0 && exitCode !== undefined)
    return { exitCode: Number(exitCode), stdout: stdout.slice(0, at), stderr };
  if (hasTerminal && stdout.trim() !== '' && closedNotice.test(stderr.replace(remarks, '')))
    return { exitCode: 0, stdout, stderr };
  throw sshRefusal(stderr, end.exitCode, address);
}
