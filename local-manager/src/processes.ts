// Runs local programs without a shell, with a time limit, and streams their output lines.
import { spawn } from 'node:child_process';

export interface Program {
  file: string;
  args: readonly string[];
  /** Written to its standard input, which is then closed; empty unless given. */
  input?: string | Uint8Array | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  cwd?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  onLine?: ((line: string, stream: 'output' | 'error') => void) | undefined;
  /** Called with output before its line ends; may write a reply. */
  onText?: ((text: string, reply: (line: string) => void) => void) | undefined;
}

export interface ProgramEnd {
  /** Null if a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  hasTimedOut: boolean;
}

/** Only the end of longer output is kept, where programs report their outcome; every line is still passed on. */
export const maxKept = 8 * 1024 * 1024;
const graceMs = 2_000;

/** Rejects only if the program cannot be started. */
export function runProgram(program: Program): Promise<ProgramEnd> {
  const { file, args, input, timeoutMs, signal, cwd, env, onLine, onText } = program;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
      stdio: [input === undefined && onText === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A Ctrl-C is for the manager, which shuts down gracefully; its programs run to their own end.
      detached: process.platform !== 'win32',
    });
    const end = { stdout: '', stderr: '', hasTimedOut: false };
    // A process that the program left behind may hold its output open indefinitely.
    let isStopping = false;
    const letGo = () =>
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, graceMs);
    const stop = () => {
      isStopping = true;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
      if (child.exitCode !== null || child.signalCode !== null) letGo();
    };
    child.once('exit', () => {
      if (isStopping) letGo();
    });
    const timer = setTimeout(() => {
      end.hasTimedOut = true;
      stop();
    }, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    const reply = (line: string) => void child.stdin?.write(`${line}\n`);
    const outputs = [
      { from: child.stdout, kept: 'stdout', stream: 'output' },
      { from: child.stderr, kept: 'stderr', stream: 'error' },
    ] as const;
    for (const { from, kept, stream } of outputs) {
      const emit = linesInto((line) => onLine?.(line, stream));
      from?.setEncoding('utf8');
      from?.on('data', (text: string) => {
        end[kept] += text;
        if (end[kept].length > maxKept) end[kept] = end[kept].slice(-maxKept / 2);
        emit.add(text);
        if (stream === 'output') onText?.(text, reply);
      });
      from?.on('end', () => emit.end());
    }
    // A program may end without reading all of its input; its exit code is the outcome.
    child.stdin?.on('error', () => undefined);
    if (input !== undefined) child.stdin?.end(input);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (exitCode) => {
      settle();
      resolve({ ...end, exitCode });
    });
  });
}

/** Splits text into lines; a lone carriage return restarts the line, as progress bars do. */
function linesInto(emit: (line: string) => void): { add: (text: string) => void; end: () => void } {
  let rest = '';
  return {
    add: (text) => {
      const lines = `${rest}${text}`.split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) emit(line.slice(line.lastIndexOf('\r') + 1));
    },
    end: () => {
      if (rest !== '') emit(rest);
      rest = '';
    },
  };
}
