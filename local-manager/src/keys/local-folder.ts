// Finds the Windows folder of this user's local data, also from Linux on Windows (WSL).
import type { HostBridge } from '../powershell/host-bridge.ts';
import { textOf } from '../parsing.ts';
import { runProgram } from '../processes.ts';
import { isRefusal } from '../refusals.ts';

export interface LocalFolderOptions {
  /** Configured path; used without detection. */
  configured: string | undefined;
  /** The value of LOCALAPPDATA; not set within Linux. */
  environment: string | undefined;
  isWsl: boolean;
  wslpath: string;
}

const translateMs = 5_000;

export class LocalFolder {
  readonly #bridge: HostBridge;
  readonly #options: LocalFolderOptions;
  #found: string | undefined;

  constructor(bridge: HostBridge, options: LocalFolderOptions) {
    this.#bridge = bridge;
    this.#options = options;
  }

  /** Null while it is unknown; the next call tries again. */
  async find(): Promise<string | null> {
    const { configured, environment, isWsl } = this.#options;
    this.#found ??= configured ?? (isWsl ? await this.#ask() : environment);
    return this.#found ?? null;
  }

  async #ask(): Promise<string | undefined> {
    try {
      const { path } = await this.#bridge.run('get-local-folder', {});
      const windows = textOf(path);
      return windows === null ? undefined : await this.#translate(windows);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  /** wslpath knows the mount points of drives; without it, the default mount points are assumed. */
  async #translate(windows: string): Promise<string | undefined> {
    const end = await runProgram({
      file: this.#options.wslpath,
      args: ['-u', windows],
      timeoutMs: translateMs,
    }).catch(() => undefined);
    const path = end?.exitCode === 0 ? end.stdout.trim() : '';
    return path.startsWith('/') ? path : mountedPath(windows);
  }
}

/** `C:\Users\a` as `/mnt/c/Users/a`. */
export function mountedPath(windows: string): string | undefined {
  const [, drive, rest] = /^([A-Za-z]):[\\/](.*)$/.exec(windows) ?? [];
  if (drive === undefined || rest === undefined) return undefined;
  return `/mnt/${drive.toLowerCase()}/${rest.replaceAll('\\', '/')}`;
}
