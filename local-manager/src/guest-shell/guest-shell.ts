// Runs scripts in the virtual machine with the system's ssh, and checks their outcome.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { maxKept, runProgram, type ProgramEnd } from '../processes.ts';
import { refusal } from '../refusals.ts';
import { environmentOf, type PasswordLogin } from './password-login.ts';
import { sshRefusal } from './ssh-errors.ts';

export interface GuestAddress {
  host: string;
  port: number;
  user: string;
  /** Identifies the virtual machine independently of its address: its host key belongs to it, not to an address. */
  alias: string;
  knownHostsFile: string;
  keyFile: string;
  /** Where people find that key. */
  keySource: string;
  /** Whether the key requires a passphrase, which the manager cannot enter. */
  isKeyEncrypted: boolean;
  /** Logs in with a password instead of the key. */
  password?: PasswordLogin;
}

export interface GuestScript {
  /** A script for the guest's sh. Values belong into `values`, never into the script. */
  script: string;
  /** Its $1, $2 and so on. */
  values?: readonly string[];
  input?: string | Uint8Array;
  /** Whether it needs a terminal; a terminal echoes the input. */
  wantsTerminal?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  onLine?: (line: string) => void;
  onText?: (text: string, reply: (line: string) => void) => void;
}

export interface GuestStream {
  input: Writable;
  output: Readable;
  /** Resolves when the script has ended with 0; rejects with the reason otherwise. */
  ended: Promise<void>;
  stop: () => void;
}

export interface GuestEnd {
  exitCode: number;
  /** Its output, with plain line ends. */
  stdout: string;
  stderr: string;
}

const defaultTimeoutMs = 30_000;

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

  /**
   * Runs the script to its end and returns any exit code; throws a refusal if the guest is unreachable or the script
   * times out.
   */
  async run(task: GuestScript): Promise<GuestEnd> {
    const { script, values = [], input, wantsTerminal = false, timeoutMs = defaultTimeoutMs, signal } = task;
    const mark = `__GANTRY_${randomUUID()}__`;
    const isMark = (line: string) => line.includes(mark);
    const end = await runProgram({
      file: this.#executable,
      args: [...this.#options(wantsTerminal), this.#address.host, marked(mark, script, values)],
      input: input ?? (wantsTerminal && task.onText === undefined ? '' : undefined),
      timeoutMs,
      signal,
      ...(this.#address.password !== undefined && { env: environmentOf(this.#address.password) }),
      onLine: (line) => {
        if (!isMark(line)) task.onLine?.(line.replace(/\r$/, ''));
      },
      onText: task.onText,
    }).catch((error: unknown) => {
      throw refusal('guest_failed', `ssh cannot be started: ${this.#executable}.`, { cause: error });
    });
    if (signal?.aborted === true) throw signal.reason;
    if (end.hasTimedOut)
      throw refusal('guest_failed', `The virtual machine did not end within ${timeoutMs / 1000} seconds.`);
    return endOf(end, mark, wantsTerminal, this.#address);
  }

  /** As `run`, for scripts whose output is needed: any exit code but 0 is a refusal. */
  async read(task: GuestScript): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(task);
    if (exitCode === 0 && stdout.length > maxKept / 2)
      throw refusal('guest_failed', 'The virtual machine printed too much output.');
    if (exitCode === 0) return stdout;
    const message = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n').slice(-500);
    throw refusal('guest_failed', message === '' ? `The command ended with ${exitCode}.` : message);
  }

  /** Runs the script with its input and output as streams of bytes; there is no time limit. */
  stream({ script, values = [], signal }: Pick<GuestScript, 'script' | 'values' | 'signal'>): GuestStream {
    const call = ['sh', '-c', script, 'gantry', ...values].map(quoted).join(' ');
    const { password, host } = this.#address;
    const child = spawn(this.#executable, [...this.#options(false), host, call], {
      stdio: 'pipe',
      windowsHide: true,
      detached: process.platform !== 'win32',
      ...(password !== undefined && { env: environmentOf(password) }),
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-4_000)));
    const stop = () => void child.kill();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    child.once('error', (error) =>
      reject(refusal('guest_failed', `ssh cannot be started: ${this.#executable}.`, { cause: error })),
    );
    child.once('close', (exitCode) => {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (exitCode === 0) resolve();
      else reject(sshRefusal(stderr, exitCode, this.#address));
    });
    return { input: child.stdin, output: child.stdout, ended, stop };
  }

  #options(wantsTerminal: boolean): string[] {
    // Only with INFO does ssh report how a session with a terminal has ended.
    const { port, user, alias, knownHostsFile, keyFile, password } = this.#address;
    const settings = [
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      ...(password === undefined
        ? ['BatchMode=yes', 'PreferredAuthentications=publickey']
        : [
            'PubkeyAuthentication=no',
            'PreferredAuthentications=password,keyboard-interactive',
            'NumberOfPasswordPrompts=1',
          ]),
      'ConnectTimeout=8',
      'ServerAliveInterval=15',
      'ServerAliveCountMax=4',
      `LogLevel=${wantsTerminal ? 'INFO' : 'ERROR'}`,
      `HostKeyAlias=${alias}`,
      `UserKnownHostsFile="${settingPath(knownHostsFile)}"`,
      'StrictHostKeyChecking=accept-new',
    ];
    return [
      ...['-F', 'none', wantsTerminal ? '-tt' : '-T', '-p', String(port), '-l', user],
      ...(password === undefined ? ['-i', keyFile] : []),
      ...settings.flatMap((setting) => ['-o', setting]),
      '--',
    ];
  }
}

/** A path as an ssh setting: % begins a placeholder there, and a backslash may escape the next character. */
function settingPath(path: string): string {
  const plain = path.replaceAll('%', '%%');
  return process.platform === 'win32' ? plain.replaceAll('\\', '/') : plain;
}

/** The remote command: the script, followed by a line with a random mark and its exit code. */
function marked(mark: string, script: string, values: readonly string[]): string {
  const call = ['sh', '-c', script, 'gantry', ...values].map(quoted).join(' ');
  return `${call}; rc=$?; printf '\\n%s %s\\n' ${quoted(mark)} "$rc"; exit "$rc"`;
}

/** ssh's only message after a regular end of a session with a terminal. */
const closedNotice = /^Connection to \S+ closed\.\s*$/;
/** Further messages of ssh above the error level. */
const remarks = /^(Warning: Permanently added |\*\* ).*\n/gm;

/**
 * The mark carries the exit code. Without it, the script did not end; except that a session with a terminal counts as a
 * success if it printed something and closed with only the usual notice.
 */
export function endOf(end: ProgramEnd, mark: string, hasTerminal: boolean, address: GuestAddress): GuestEnd {
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

/** Quotes text for the virtual machine's shell, so that any text is a single word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
