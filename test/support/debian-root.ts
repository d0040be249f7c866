// A clean Debian made by debootstrap, and commands in it with mounts and processes of their own; needs root.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join, matchesGlob, relative } from 'node:path';
import { runCommand } from '../../src/embedded/run-command.ts';
import { hasProgram } from './needs.ts';

export interface InRoot {
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** `uid:gid`; root unless set. */
  user?: string;
  /** Directories of this machine by their path in the root. */
  volumes?: Readonly<Record<string, string>>;
  /** Nothing can be written but volumes and /tmp. */
  isReadOnly?: boolean;
}

const archive = 'http://deb.debian.org/debian';
/** Certificates that this machine trusts besides those of its distribution, such as that of a proxy. */
const ownCertificates = '/usr/local/share/ca-certificates';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const prepare = `
set -eu
root=$1 volumes=$2 is_read_only=$3 user=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
printf '%s' "$volumes" | while read -r from to; do mount --bind "$from" "$root$to"; done
[ "$is_read_only" = no ] || mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"
`;

export class DebianRoot {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Downloads the release's smallest set of packages into the directory. */
  static async create(path: string, release: 'bookworm' | 'trixie'): Promise<DebianRoot> {
    if (process.getuid?.() !== 0 || !hasProgram('debootstrap'))
      throw new Error('clean machines are made by root with debootstrap: apt-get install debootstrap');
    await mustRun('debootstrap', ['--variant=minbase', release, path, archive]);
    const root = new DebianRoot(path);
    const certificates = await readdir(ownCertificates).catch(() => []);
    await mkdir(join(path, ownCertificates), { recursive: true });
    for (const name of certificates)
      await cp(join(ownCertificates, name), join(path, ownCertificates, name), { dereference: true });
    return root;
  }

  async copy(path: string): Promise<DebianRoot> {
    await mustRun('cp', ['-a', this.path, path]);
    return new DebianRoot(path);
  }

  /** Starts a command, which ends with the returned process. */
  start(command: readonly string[], options: InRoot = {}): ChildProcess {
    const { env = {}, cwd = '/', user = '0:0', volumes = {}, isReadOnly = false } = options;
    const mounts = Object.entries(volumes).map(([to, from]) => `${from} ${to}\n`);
    const setup = [this.path, mounts.join(''), isReadOnly ? 'yes' : 'no', user];
    const variables = Object.entries({ PATH: systemPath, LANG: 'C.UTF-8', ...env }).map((pair) =>
      pair.join('='),
    );
    const inside = ['/usr/bin/env', '-i', ...variables, 'sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command];
    const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', prepare, 'sh', ...setup];
    return spawn('unshare', [...isolated, ...inside], { env: { PATH: systemPath } });
  }

  /** Sends the signal to the started command itself, and waits for its end. */
  async end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    process.kill(Number(children.trim()), signal);
    await ended;
    return child.exitCode;
  }

  /** Runs a command to its end and returns its output with its exit code. */
  async run(
    command: readonly string[],
    options: InRoot = {},
  ): Promise<{ code: number | null; output: string }> {
    const child = this.start(command, options);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    return { code, output };
  }

  /** Runs a command that must succeed. */
  async succeed(command: readonly string[], options: InRoot = {}): Promise<string> {
    const { code, output } = await this.run(command, options);
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output.slice(-5_000)}`);
    return output;
  }
}

/** Copies a clone without what its .dockerignore names, as the build of an image does. */
export async function copyContext(
  clone: string,
  target: string,
  alsoWith: readonly string[] = [],
): Promise<void> {
  const text = await readFile(join(clone, '.dockerignore'), 'utf8');
  const ignored = text.split('\n').filter((line) => line !== '' && !alsoWith.includes(line));
  await cp(clone, target, {
    recursive: true,
    filter: (source) => {
      const path = relative(clone, source);
      return !ignored.some((pattern) => matchesGlob(path, pattern));
    },
  });
}

async function mustRun(command: string, args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runCommand(command, args);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${(stdout + stderr).slice(-5_000)}`);
}
