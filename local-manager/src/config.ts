// Reads the manager's settings from the environment, once.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Config {
  port: number;
  /** Directory of the manager's own files. */
  home: string;
  vmName: string;
  isWsl: boolean;
  programs: { powershell: string; ssh: string; sshKeygen: string; wslpath: string };
  guest: { port: number; user: string; home: string };
  /** The local data folder of Windows as a path for this process, if configured instead of detected. */
  localFolder: string | undefined;
  localAppData: string | undefined;
  /** Poll interval for progress. */
  pollMs: number;
  /** How long the virtual machine tries new addresses before it reverts to the former ones. */
  networkTrialMs: number;
  /** Interval of the recorded figures. */
  sampleSeconds: number;
  /** File that names the newest version; undefined to ask for none. */
  updateUrl: string | undefined;
  logLevel: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const windowsPowerShell = 'System32\\WindowsPowerShell\\v1.0\\powershell.exe';
/** Exists even if Linux does not get the PATH of Windows. */
const mountedPowerShell = '/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe';

export function readConfig(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): Config {
  const isWsl = platform === 'linux' && (text(env, 'WSL_DISTRO_NAME') !== undefined || isMicrosoftKernel());
  return {
    port: portOf(env, 'LOCAL_MANAGER_PORT', 4400),
    home: resolve(text(env, 'LOCAL_MANAGER_HOME') ?? join(homedir(), '.gantry-local-manager')),
    vmName: vmNameOf(env),
    isWsl,
    programs: {
      powershell: text(env, 'LOCAL_MANAGER_POWERSHELL') ?? powershellOf(env, platform),
      ssh: text(env, 'LOCAL_MANAGER_SSH') ?? 'ssh',
      sshKeygen: text(env, 'LOCAL_MANAGER_SSH_KEYGEN') ?? 'ssh-keygen',
      wslpath: text(env, 'LOCAL_MANAGER_WSLPATH') ?? 'wslpath',
    },
    guest: {
      port: portOf(env, 'LOCAL_MANAGER_GUEST_PORT', 22),
      user: nameOf(env, 'LOCAL_MANAGER_GUEST_USER', 'dune'),
      home: text(env, 'LOCAL_MANAGER_GUEST_HOME') ?? '/home/dune',
    },
    localFolder: text(env, 'LOCAL_MANAGER_LOCAL_FOLDER'),
    localAppData: text(env, 'LOCALAPPDATA'),
    pollMs: numberOf(env, 'LOCAL_MANAGER_POLL_MS', 2_000),
    networkTrialMs: numberOf(env, 'LOCAL_MANAGER_NETWORK_TRIAL_MS', 90_000),
    sampleSeconds: secondsOf(env, 'LOCAL_MANAGER_SAMPLE_SECONDS', 60),
    updateUrl: urlOf(env, 'LOCAL_MANAGER_UPDATE_URL'),
    logLevel: text(env, 'LOCAL_MANAGER_LOG_LEVEL') ?? 'warn',
  };
}

const text = (env: NodeJS.ProcessEnv, name: string): string | undefined => env[name]?.trim() || undefined;

function portOf(env: NodeJS.ProcessEnv, name: string, usual: number): number {
  const given = text(env, name);
  const port = given === undefined ? usual : Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new ConfigError(`${name} is not a port: ${given ?? ''}`);
  return port;
}

function numberOf(env: NodeJS.ProcessEnv, name: string, usual: number): number {
  const given = Number(text(env, name) ?? usual);
  if (!Number.isInteger(given) || given < 1) throw new ConfigError(`${name} is not a number of milliseconds`);
  return given;
}

/** The store is bounded for samples that are at least this far apart. */
const shortestSampleSeconds = 5;

function secondsOf(env: NodeJS.ProcessEnv, name: string, usual: number): number {
  const given = Number(text(env, name) ?? usual);
  if (!Number.isInteger(given) || given < shortestSampleSeconds || given > 3_600)
    throw new ConfigError(`${name} is not a number of seconds from ${shortestSampleSeconds} to 3600`);
  return given;
}

function nameOf(env: NodeJS.ProcessEnv, name: string, usual: string): string {
  const given = text(env, name) ?? usual;
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(given) || given.startsWith('-'))
    throw new ConfigError(`${name} is not a name: ${given}`);
  return given;
}

/** Encrypted, unless it is on this machine. */
function urlOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const given = text(env, name);
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
  if (url === null || (url.protocol !== 'https:' && !isLocal))
    throw new ConfigError(`${name} is not an address that begins with https://`);
  return url.href;
}

/** Hyper-V takes almost every name, with spaces and in every script. */
function vmNameOf(env: NodeJS.ProcessEnv): string {
  const given = text(env, 'LOCAL_MANAGER_VM_NAME') ?? 'dune-awakening';
  if (given.length > 100 || /\p{Cc}/u.test(given))
    throw new ConfigError(`LOCAL_MANAGER_VM_NAME is not a name: ${given}`);
  return given;
}

function powershellOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `${text(env, 'SystemRoot') ?? 'C:\\Windows'}\\${windowsPowerShell}`;
  return existsSync(mountedPowerShell) ? mountedPowerShell : 'powershell.exe';
}

function isMicrosoftKernel(): boolean {
  try {
    return /microsoft/i.test(readFileSync('/proc/version', 'utf8'));
  } catch {
    return false;
  }
}
