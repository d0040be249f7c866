// Profiles: the servers a user works with, and the key for each, in one file that only its owner can read.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tokens } from '../../client/src/session.ts';
import { CliError } from './failures.ts';
import { locked, writePrivately } from './private-files.ts';

export interface Profile {
  server: string;
  api_key?: string;
  /** A command that prints the key: of the system's key store, or of a password manager. */
  api_key_command?: string[];
  /** The tokens of a signed-in user. */
  session?: Tokens;
}

interface Stored {
  current?: string;
  profiles: Record<string, Profile>;
}

export type Credentials =
  | { kind: 'key'; key: string }
  | { kind: 'token'; token: string }
  | { kind: 'session'; profile: string; tokens: Tokens }
  | { kind: 'none' };

export interface Target {
  /** Without a slash at its end. */
  server: string;
  profile: string | undefined;
  credentials: Credentials;
}

const keyCommandTimeoutMs = 60_000;

export class Profiles {
  readonly #environment: NodeJS.ProcessEnv;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#environment = environment;
  }

  get file(): string {
    const configured = this.#environment['GANTRY_CONFIG'];
    if (configured !== undefined && configured !== '') return configured;
    const base =
      this.#environment['XDG_CONFIG_HOME'] ?? this.#environment['APPDATA'] ?? join(homedir(), '.config');
    return join(base, 'gantry', 'profiles.json');
  }

  /** Refuses a file that other users of the machine can read, as ssh does with keys. */
  async read(): Promise<Stored> {
    const status = await stat(this.file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (status === undefined) return { profiles: {} };
    if (platform() !== 'win32' && (status.mode & 0o077) !== 0)
      throw new CliError(`Other users can read ${this.file}. Run: chmod 600 ${this.file}`);
    try {
      const stored = JSON.parse(await readFile(this.file, 'utf8')) as Partial<Stored>;
      return { ...stored, profiles: stored.profiles ?? {} };
    } catch (error) {
      throw new CliError(`${this.file} is not valid JSON.`, undefined, { cause: error });
    }
  }

  async change(change: (stored: Stored) => void): Promise<void> {
    await locked(this.file, async () => {
      const stored = await this.read();
      change(stored);
      await writePrivately(this.file, `${JSON.stringify(stored, null, 2)}\n`);
    });
  }

  /** The server and credentials of this run: options first, then the environment, then the profile. */
  async target(options: { server?: string; profile?: string }): Promise<Target> {
    const stored = await this.read();
    const name = options.profile ?? this.#setting('GANTRY_PROFILE') ?? stored.current;
    const profile = name === undefined ? undefined : stored.profiles[name];
    if (name !== undefined && profile === undefined)
      throw new CliError(`There is no profile "${name}". \`gantry profile list\` shows those that exist.`);
    const chosen = options.server ?? this.#setting('GANTRY_SERVER');
    const server = chosen ?? profile?.server;
    if (server === undefined)
      throw new CliError(
        'No server is set. Run `gantry profile set default --server https://…`, or set GANTRY_SERVER.',
      );
    const address = serverAddress(server);
    // The key of a profile is for its own server: another one must not receive it.
    const own = profile !== undefined && serverAddress(profile.server) === address ? profile : undefined;
    return { server: address, profile: name, credentials: await this.#credentials(name, own) };
  }

  async #credentials(name: string | undefined, profile: Profile | undefined): Promise<Credentials> {
    const key = this.#setting('GANTRY_API_KEY');
    if (key !== undefined) return { kind: 'key', key };
    const token = this.#setting('GANTRY_TOKEN');
    if (token !== undefined) return { kind: 'token', token };
    if (profile?.api_key !== undefined) return { kind: 'key', key: profile.api_key };
    if (profile?.api_key_command !== undefined)
      return { kind: 'key', key: await keyFrom(profile.api_key_command) };
    if (profile?.session !== undefined && name !== undefined)
      return { kind: 'session', profile: name, tokens: profile.session };
    return { kind: 'none' };
  }

  #setting(name: string): string | undefined {
    const value = this.#environment[name];
    return value === undefined || value === '' ? undefined : value;
  }
}

async function keyFrom([program = '', ...args]: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: keyCommandTimeoutMs });
    const [key = ''] = stdout.split('\n');
    if (key.trim() === '') throw new Error('it printed nothing');
    return key.trim();
  } catch (error) {
    throw new CliError(`The key's command "${program}" failed: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
}

export function serverAddress(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new CliError(`"${text}" is not a URL. Write it as https://panel.example.com.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new CliError(`"${text}" is not an http or https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new CliError('The URL of a server has no user name in it.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
