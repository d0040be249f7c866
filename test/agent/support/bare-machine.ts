// A machine of its own without Node for scripts that need root: a copy of this system's files, and processes of its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** Writes go to memory; the programs are those of this system. */
const prepare = `
set -e
mount --make-rprivate /
mount -t tmpfs -o size=2g tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs tmpfs "$1/root/run"
mount -t tmpfs tmpfs "$1/root/tmp"
chmod 1777 "$1/root/tmp"
install -m 755 "$2" "$1/root/usr/local/bin/systemctl"
rm -rf "$1/root/opt"; mkdir "$1/root/opt"
echo ready
exec sleep infinity
`;

export class BareMachine {
  readonly #holder: ChildProcess;
  readonly #pid: string;
  readonly #root: string;

  private constructor(holder: ChildProcess, pid: string, root: string) {
    this.#holder = holder;
    this.#pid = pid;
    this.#root = root;
  }

  /** `directory` is empty. */
  static async start(directory: string, { hasSystemd = true } = {}): Promise<BareMachine> {
    const flags = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', prepare, 'sh'];
    const stub = join(import.meta.dirname, 'systemctl.sh');
    const holder = spawn('unshare', [...flags, directory, stub], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(holder.stdout, 'data')) as [Buffer];
    if (String(line).trim() !== 'ready') throw new Error('the machine could not be prepared');
    const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8');
    const machine = new BareMachine(holder, children.trim(), join(directory, 'root'));
    if (hasSystemd) await machine.sh('mkdir -p /run/systemd/system');
    return machine;
  }

  async sh(script: string, { user = 'root' } = {}): Promise<Ran> {
    const inside = ['nsenter', '-t', this.#pid, '-m', '-p', 'chroot', this.#root];
    const as = user === 'root' ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    const [program = '', ...args] = [...inside, ...as, 'sh', '-c', script];
    const env = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' };
    return run(program, args, { env, maxBuffer: 1 << 24 }).then(
      ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
      (error: Error & { code?: number; stdout?: string; stderr?: string }) => ({
        status: typeof error.code === 'number' ? error.code : -1,
        stdout: error.stdout ?? '',
        stderr: error.stderr ?? '',
      }),
    );
  }

  /** Ends every process of the machine. */
  async stop(): Promise<void> {
    const ended = once(this.#holder, 'exit');
    this.#holder.kill('SIGKILL');
    await ended;
  }
}
