// A stand-in for the virtual machine: a real sshd on loopback, the vendor's folder, and programs by the
// vendor's names.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findProgram, postgresClientFolder } from './needed-programs.ts';
import { freePort } from './ports.ts';

const here = import.meta.dirname;

export interface GuestOptions {
  folder: string;
  controlUrl: string;
  /** URL of the game's database; there is none by default. */
  databaseUrl: string | undefined;
}

const loopback = '127.0.0.1';
/** The prefix of the host's network in this world. */
const hostNetwork = '192.168.1.';

/** Port that the database's pod listens on, as older packages have it. */
export const databasePort = 15432;

export class StandInGuest {
  readonly home: string;
  readonly user = userInfo().username;
  port = 0;
  readonly #options: GuestOptions;
  #sshd: ChildProcess | undefined;
  #isOn = false;
  #shadow: string | undefined;

  constructor(options: GuestOptions) {
    this.#options = options;
    this.home = join(options.folder, 'guest/home/dune');
  }

  get dune(): string {
    return join(this.home, '.dune');
  }

  get settingsFile(): string {
    return join(this.dune, 'settings.conf');
  }

  /** The vendor's own key, which every package has. */
  get vendorKey(): string {
    return join(this.#options.folder, 'vendor-key');
  }

  async prepare(): Promise<void> {
    const { folder } = this.#options;
    this.#makeFolders();
    keygen(this.vendorKey);
    keygen(join(folder, 'host-key'));
    this.acceptOnlyVendorKey();
    this.#writePrograms();
    this.port = await freePort();
    this.#writeSshdConfig();
  }

  acceptOnlyVendorKey(): void {
    copyFileSync(`${this.vendorKey}.pub`, join(this.home, '.ssh/authorized_keys'));
    chmodSync(join(this.home, '.ssh/authorized_keys'), 0o600);
  }

  /** The state after a bootstrap. */
  install(): void {
    writeProgram(join(this.dune, 'bin/battlegroup'), this.#filled('guest-bin/battlegroup'));
    writeFileSync(
      join(this.#configFolder, 'UserEngine.ini'),
      '; Settings of the engine\r\n[URL]\r\nPort=7777\r\nIGWPort=7888\r\n\r\n[ConsoleVariables]\r\n; The name in the list\r\nBgd.ServerDisplayName="Sietch Tabr"\r\n;Bgd.ServerLoginPassword=""\r\nSandstorm.Enabled=1\r\n',
    );
    writeFileSync(
      join(this.#configFolder, 'UserGame.ini'),
      '[/Script/DuneSandbox.SecurityZonesSubsystem]\nm_bAreSecurityZonesEnabled=True\n\n[/Script/Unknown.Thing]\n+List=(A=1)\n+List=(A=2)\n',
    );
    this.deploySettings();
    if (!existsSync(this.settingsFile)) writeFileSync(this.settingsFile, '\n\n\n192.168.1.50\n');
  }

  get settingsFolder(): string {
    return this.#configFolder;
  }

  deploySettings(): void {
    for (const file of ['UserEngine.ini', 'UserGame.ini'])
      copyFileSync(
        join(this.#configFolder, file),
        join(this.#options.folder, 'guest/srv/UserSettings', file),
      );
  }

  /** The content from the package. */
  renew(): void {
    for (const path of [this.dune, this.#etc]) rmSync(path, { recursive: true, force: true });
    this.#makeFolders();
    this.acceptOnlyVendorKey();
  }

  /** From its next start on it takes this password as well. Requires root, for a password file of its own. */
  takePassword(password: string): void {
    const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: password, encoding: 'utf8' });
    this.#shadow = join(this.#options.folder, 'shadow');
    writeFileSync(this.#shadow, `${this.user}:${hash.trim()}:19000:0:99999:7:::\n`, { mode: 0o600 });
    this.#writeSshdConfig();
  }

  lineFour(): string {
    return existsSync(this.settingsFile)
      ? (readFileSync(this.settingsFile, 'utf8').split(/\r?\n/)[3] ?? '')
      : '';
  }

  /** The vendor's setup, as in the package on the host; with the line ends of Windows. */
  setupProgram(): string {
    const { controlUrl } = this.#options;
    const program = join(here, 'setup.ts');
    return `#!/bin/sh\r\nexec '${process.execPath}' --no-warnings '${program}' '${controlUrl}'\r\n`;
  }

  /** Its address for the host; undefined for an address of another network. */
  get addresses(): string[] {
    const address = readFileSync(this.#addressFile, 'utf8');
    if (address === '') return [];
    return [...new Set([address, loopback])];
  }

  /** Takes the address in its interfaces file; the host reaches only those of its own network. */
  async restartNetwork(): Promise<void> {
    if (!this.#isOn) return;
    const [, fixed = loopback] = /^\s*address\s+(\S+)/m.exec(readFileSync(this.#interfaces, 'utf8')) ?? [];
    const isReached = fixed === loopback || fixed.startsWith(hostNetwork);
    writeFileSync(this.#addressFile, isReached ? fixed : '');
    if (isReached) await this.#listen();
    else await this.#cutOff();
  }

  /** The host's SSH access to it. */
  sshProgram(): string {
    return this.#filled('host-bin/ssh');
  }

  async on(): Promise<void> {
    this.#isOn = true;
    await this.restartNetwork();
  }

  /** Sessions end with it, as when a machine is switched off. */
  async off(): Promise<void> {
    this.#isOn = false;
    const sshd = this.#sshd;
    this.#sshd = undefined;
    if (sshd?.pid === undefined || sshd.exitCode !== null) return;
    const gone = once(sshd, 'exit');
    for (const pid of descendantsOf(sshd.pid)) kill(pid);
    await gone;
  }

  get #configFolder(): string {
    return join(this.dune, 'download/scripts/setup/config');
  }

  async #listen(): Promise<void> {
    if (this.#sshd !== undefined) return;
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
    const program = [
      findProgram('sshd') ?? 'sshd',
      '-D',
      '-e',
      '-f',
      join(this.#options.folder, 'sshd_config'),
    ];
    const [file = '', ...rest] = this.#shadow === undefined ? program : withShadow(this.#shadow, program);
    this.#sshd = spawn(file, rest, { stdio: 'ignore', detached: true });
    await untilOpen(this.port);
  }

  /** Processes in it continue, as when a cable is unplugged. */
  async #cutOff(): Promise<void> {
    const sshd = this.#sshd;
    this.#sshd = undefined;
    if (sshd === undefined || sshd.exitCode !== null) return;
    const gone = once(sshd, 'exit');
    sshd.kill('SIGKILL');
    await gone;
  }

  /** Its reachable address; undefined for an address of another network. */
  get #addressFile(): string {
    return join(this.#options.folder, 'guest/address');
  }

  get #interfaces(): string {
    return join(this.#etc, 'network/interfaces');
  }

  get #etc(): string {
    return join(this.#options.folder, 'guest/etc');
  }

  #makeFolders(): void {
    const { folder } = this.#options;
    for (const path of [
      join(this.dune, 'bin'),
      this.#configFolder,
      join(this.home, '.ssh'),
      join(this.#etc, 'network'),
      join(folder, 'guest/srv/UserSettings'),
      join(folder, 'guest/bin'),
      join(folder, 'guest/tmp'),
    ])
      mkdirSync(path, { recursive: true });
    writeFileSync(this.#interfaces, 'auto lo\niface lo inet loopback\n\nauto eth0\niface eth0 inet dhcp\n');
    writeFileSync(join(this.#etc, 'resolv.conf'), 'nameserver 192.168.1.1\n');
    writeFileSync(this.#addressFile, loopback);
  }

  #writePrograms(): void {
    for (const name of [
      'sudo',
      'kubectl',
      'psql',
      'pg_dump',
      'pg_restore',
      'chpasswd',
      'rc-service',
      'wget',
      'rabbitmqctl',
    ])
      writeProgram(join(this.#options.folder, 'guest/bin', name), this.#filled(join('guest-bin', name)));
  }

  /** A program of the guest with the paths of this world. */
  #filled(name: string): string {
    const { folder, controlUrl, databaseUrl } = this.#options;
    const values: Record<string, string> = {
      '@ROOT@': join(folder, 'guest'),
      '@KUBECTL@': findProgram('kubectl') ?? '',
      '@POSTGRES@': postgresClientFolder() ?? '',
      '@CACHE@': join(folder, 'kube-cache'),
      '@WORLD@': controlUrl,
      '@DATABASE@': databaseUrl ?? '',
      '@DATABASE_PORT@': String(databasePort),
    };
    return Object.entries(values).reduce(
      (filled, [mark, value]) => filled.replaceAll(mark, value),
      readFileSync(join(here, name), 'utf8'),
    );
  }

  #writeSshdConfig(): void {
    const { folder } = this.#options;
    const settings = [
      `Port ${this.port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(folder, 'host-key')}`,
      `AuthorizedKeysFile ${join(this.home, '.ssh/authorized_keys')}`,
      `PidFile ${join(folder, 'sshd.pid')}`,
      'StrictModes no',
      'UsePAM no',
      `PermitRootLogin ${this.#shadow === undefined ? 'prohibit-password' : 'yes'}`,
      `PasswordAuthentication ${this.#shadow === undefined ? 'no' : 'yes'}`,
      'KbdInteractiveAuthentication no',
      'PrintMotd no',
      'PrintLastLog no',
      'MaxStartups 50:30:100',
      'KexAlgorithms curve25519-sha256', // today's default takes ten times as long, for each session
      // The local user's shell settings do not belong to the guest.
      `SetEnv HOME=${this.home} TMPDIR=${join(folder, 'guest/tmp')} PATH=${join(folder, 'guest/bin')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    ];
    writeFileSync(join(folder, 'sshd_config'), `${settings.join('\n')}\n`);
  }
}

/** Runs the program with another password file, which no other process sees. */
const withShadow = (shadow: string, program: readonly string[]): string[] => [
  ...['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/shadow && exec "$@"', shadow],
  ...program,
];

export function keygen(path: string, passphrase = ''): void {
  for (const file of [path, `${path}.pub`]) rmSync(file, { force: true });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'stand-in', '-f', path]);
}

export function writeProgram(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o755 });
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const isOpen = await new Promise<boolean>((settle) => {
      const socket = createConnection({ host: '127.0.0.1', port });
      socket.once('connect', () => {
        socket.destroy();
        settle(true);
      });
      socket.once('error', () => settle(false));
    });
    if (isOpen) return;
    await new Promise((wait) => setTimeout(wait, 25));
  }
  throw new Error('sshd does not listen');
}

/** Of this process only, leaves first. */
function descendantsOf(pid: number): number[] {
  const children = execFileSync('/bin/sh', ['-c', `cat /proc/${pid}/task/*/children 2>/dev/null || true`], {
    encoding: 'utf8',
  });
  return [...children.trim().split(/\s+/).filter(Boolean).map(Number).flatMap(descendantsOf), pid];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
