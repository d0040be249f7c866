// Runs programs of the machine: without a shell, with an end in sight, and with their lines as they come.
import { spawn } from 'node:child_process';

export interface Program {
  file: string;
  args: readonly string[];
  /** Written to its standard input, which is then closed; nothing is there unless given. */
  input?: string | Uint8Array | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  cwd?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  onLine?: ((line: string, stream: 'output' | 'error') => void) | undefined;
  /** Hears what the program prints before the line ends, and may answer it. */
  onText?: ((text: string, answer: (line: string) => void) => void) | undefined;
}

export interface ProgramEnd {
  /** null when a signal has ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  hasTimedOut: boolean;
}

/** Of longer texts the end is kept, where programs say how it went; lines are all told. */
export const maxKept = 8 * 1024 * 1024;
const graceMs = 2_000;

/** Rejects only when the program can't be started. */
export function runProgram(program: Program): Promise<ProgramEnd> {
  const { file, args, input, timeoutMs, signal, cwd, env, onLine, onText } = program;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
      stdio: [input === undefined && onText === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A Ctrl-C is for the manager, which ends in good order; its programs go on to their own end.
      detached: process.platform !== 'win32',
    });
    const end = { stdout: '', stderr: '', hasTimedOut: false };
    // Something that the program has left behind may hold its output open for good.
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
    const answer = (line: string) => void child.stdin?.write(`${line}\n`);
    const outputs = [
      { from: child.stdout, kept: 'stdout', stream: 'output' },
      { from: child.stderr, kept: 'stderr', stream: 'error' },
    ] as const;
    for (const { from, kept, stream } of outputs) {
      const tell = linesInto((line) => onLine?.(line, stream));
      from?.setEncoding('utf8');
      from?.on('data', (text: string) => {
        end[kept] += text;
        if (end[kept].length > maxKept) end[kept] = end[kept].slice(-maxKept / 2);
        tell.add(text);
        if (stream === 'output') onText?.(text, answer);
      });
      from?.on('end', () => tell.end());
    }
    // Whoever ends without reading all of its input has its reasons; its exit code tells them.
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

/** Cuts text into lines; a carriage return alone begins one anew, as progress bars do. */
function linesInto(tell: (line: string) => void): { add: (text: string) => void; end: () => void } {
  let rest = '';
  return {
    add: (text) => {
      const lines = `${rest}${text}`.split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) tell(line.slice(line.lastIndexOf('\r') + 1));
    },
    end: () => {
      if (rest !== '') tell(rest);
      rest = '';
    },
  };
}
