// Runs reviewed scripts in Windows PowerShell: values as data, one JSON object as the result.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readOwnFile } from '../own-files.ts';
import { fieldsOf, jsonOf, textOf, type Fields } from '../parsing.ts';
import { runProgram } from '../processes.ts';
import { refusal } from '../refusals.ts';
import { hostRefusal, hostSilent } from './host-errors.ts';

/** The available scripts, named for what they do. */
export type HostScript =
  | 'cancel-import'
  | 'check-commands'
  | 'connect-network'
  | 'get-local-folder'
  | 'get-preflight'
  | 'get-reset-plan'
  | 'get-state'
  | 'import-vm'
  | 'install-key'
  | 'prepare-vm'
  | 'read-bootstrap'
  | 'read-bundled-key'
  | 'remove-folder'
  | 'remove-keys'
  | 'remove-vm'
  | 'set-memory'
  | 'start-vm'
  | 'stop-vm';

export interface HostCall {
  timeoutMs?: number;
  /** Called with the progress of scripts that report it. */
  onPercent?: (percent: number) => void;
  signal?: AbortSignal;
}

export interface HostBridge {
  run(script: HostScript, values: Fields, call?: HostCall): Promise<Fields>;
}

const defaultTimeoutMs = 60_000;

/** A folder in which Windows programs can start from Linux without a warning. */
const windowsRoot = '/mnt/c';

export class PowerShell implements HostBridge {
  readonly #executable: string;
  readonly #frame = textOfScript('frame');
  readonly #scripts = new Map<HostScript, string>();

  constructor(executable: string) {
    this.#executable = executable;
  }

  /** The script's result; throws a refusal with the reason that Windows gives. */
  async run(script: HostScript, values: Fields, call: HostCall = {}): Promise<Fields> {
    const mark = `gantry-${randomUUID()}`;
    const { timeoutMs = defaultTimeoutMs, signal, onPercent } = call;
    const percent = new RegExp(`^${mark}-percent (\\d{1,3})`);
    const end = await runProgram({
      file: this.#executable,
      args: [
        ...['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-OutputFormat', 'Text'],
        '-EncodedCommand',
        Buffer.from(composed(this.#frame, this.#textOf(script), { ...values, mark }), 'utf16le').toString(
          'base64',
        ),
      ],
      timeoutMs,
      signal,
      onLine: (line) => {
        const found = percent.exec(line)?.[1];
        if (found !== undefined) onPercent?.(Math.min(100, Number(found)));
      },
      env: environmentFor(process.env),
      cwd: process.platform === 'linux' && existsSync(windowsRoot) ? windowsRoot : undefined,
    }).catch((error: unknown) => {
      throw refusal('hyperv_unavailable', `Windows PowerShell cannot be started: ${this.#executable}.`, {
        cause: error,
      });
    });
    if (end.hasTimedOut) throw hostSilent(script, timeoutMs / 1000);
    const line = end.stdout
      .split(/\r?\n/)
      .findLast((line) => line.startsWith(`${mark} `))
      ?.slice(mark.length + 1);
    const { ok, data, error } = fieldsOf(jsonOf(line ?? ''));
    if (ok === true) return fieldsOf(data);
    throw hostRefusal(script, error === undefined ? { message: end.stderr || end.stdout } : fieldsOf(error));
  }

  #textOf(script: HostScript): string {
    const text = this.#scripts.get(script) ?? textOfScript(script);
    this.#scripts.set(script, text);
    return text;
  }
}

const textOfScript = (name: string): string => readOwnFile(`powershell/${name}.ps1`).toString('utf8');

/** Windows PowerShell cannot load the modules of PowerShell 7, whose terminals pass their folders on. */
export const environmentFor = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name.toLowerCase() !== 'psmodulepath'));

/** Base64 contains no character that PowerShell could interpret. */
export function composed(frame: string, script: string, values: Fields): string {
  const data = Buffer.from(JSON.stringify(values)).toString('base64');
  const mark = (textOf(values['mark']) ?? '').replace(/[^\w-]/g, '');
  return frame
    .replace('<#mark#>', () => mark)
    .replace('<#values#>', () => data)
    .replace('<#work#>', () => script);
}
