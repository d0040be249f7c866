// Runs a short-lived command and returns its output; a command that cannot run is a result, too.
import { spawn, type SpawnOptions } from 'node:child_process';

export interface CommandOptions {
  uid?: number;
  gid?: number;
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  timeoutMs?: number;
}

export interface CommandResult {
  /** Null if it could not be started, or if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export function runCommand(
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { input, timeoutMs, ...rest } = options;
  const spawnOptions: SpawnOptions = { ...rest, stdio: 'pipe', windowsHide: true };
  // The timeout of spawn itself outlives a command that could not be started.
  if (timeoutMs !== undefined) spawnOptions.signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve) => {
    const child = spawn(command, args, spawnOptions);
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // A command that ends before reading its input is judged by its exit code, not by the broken pipe.
    child.stdin?.on('error', (error) => (stderr += error.message));
    child.on('error', (error) => resolve({ code: null, stdout, stderr: stderr + error.message }));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin?.end(input ?? '');
  });
}

export async function findOnPath(name: string): Promise<string | undefined> {
  const { code, stdout } =
    process.platform === 'win32'
      ? await runCommand('where', [name])
      : await runCommand('sh', ['-c', 'command -v "$1"', 'sh', name]);
  const path = stdout.split(/\r?\n/)[0]?.trim();
  return code === 0 && path !== undefined && path !== '' ? path : undefined;
}

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
