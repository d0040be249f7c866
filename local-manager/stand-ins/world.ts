// A whole world to run the manager against without Windows: host, virtual machine, cluster and game database.
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { databasePort, StandInGuest, writeProgram } from './guest.ts';
import { HyperV } from './hyper-v.ts';

export interface WorldOptions {
  /** Multiplies every delay. */
  pace?: number;
  memoryTotalGB?: number;
  memoryUsedGB?: number;
  /** URL of the game's database; there is none by default. */
  databaseUrl?: string;
  /** How long the manager lets the guest try other addresses. */
  networkTrialMs?: number;
  /** The file that names the newest version of the manager. */
  updateUrl?: string;
  /** The initial progress of the setup. */
  begins?: 'empty' | 'imported' | 'half-way' | 'ready';
}

export const worldName = 'sh-0a1b2c3d4e5f-qwerty';
const vmName = 'dune-awakening';

/** The behaviour of the vendor's setup. */
export interface SetupScript {
  order: ('ip' | 'world' | 'region' | 'token')[];
  retries: number;
  lineMs: number;
  failsAfterNamespace: boolean;
  regions: string[];
}

export class StandInWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'gantry-stand-in-'));
  readonly guest: StandInGuest;
  readonly cluster: Cluster;
  readonly host: HyperV;
  /** The latest input of the vendor's setup. */
  setupInputs: Record<string, string> = {};
  setup: SetupScript;
  /** The output of the vendor's program instead of its normal one. */
  readonly failures = new Map<string, { lines: string[]; exitCode: number }>();
  /** Commands of the vendor's program that wait for these promises. */
  readonly held = new Map<string, Promise<void>>();
  readonly commands: string[] = [];
  /** Messages to players, with their token. */
  readonly announcements: { token: string; text: string }[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #pace: number;
  readonly #networkTrialMs: number | undefined;
  readonly #updateUrl: string | undefined;

  private constructor(options: WorldOptions, controlUrl: string) {
    this.#pace = options.pace ?? 0.02;
    this.#networkTrialMs = options.networkTrialMs;
    this.#updateUrl = options.updateUrl;
    this.setup = {
      order: ['world', 'region', 'token'],
      retries: 0,
      lineMs: 500 * this.#pace,
      failsAfterNamespace: false,
      regions: ['Asia', 'Europe', 'North America', 'Oceania', 'South America'],
    };
    this.guest = new StandInGuest({ folder: this.folder, controlUrl, databaseUrl: options.databaseUrl });
    this.cluster = new Cluster(
      { startMs: 12_000 * this.#pace, stopMs: 6_000 * this.#pace, deleteMs: 6_000 * this.#pace },
      () => this.guest.lineFour(),
    );
    this.host = new HyperV(
      {
        vmName,
        memoryTotalGB: options.memoryTotalGB ?? 64,
        memoryUsedGB: options.memoryUsedGB ?? 16,
        startMs: 1_000 * this.#pace,
        copyMs: 20_000 * this.#pace,
        addressMs: 3_000 * this.#pace,
      },
      {
        on: async () => {
          await this.guest.on();
          this.cluster.isUp = this.isInstalled;
        },
        off: async () => {
          this.cluster.isUp = false;
          await this.guest.off();
        },
        addresses: () => this.guest.addresses,
        renew: () => {
          this.guest.renew();
          this.cluster.clear();
        },
      },
      {
        folder: 'C:\\Users\\admin\\AppData\\Local\\DuneAwakeningServer',
        list: () => this.#keyFiles(),
        remove: () => {
          for (const path of this.#keyFiles()) rmSync(join(this.keyFolder, path.split('\\').at(-1) ?? ''));
        },
        install: () => {
          if (existsSync(this.keyFile)) renameSync(this.keyFile, `${this.keyFile}.before-1`);
          return this.installVendorKey();
        },
        bundled: () => readFileSync(this.guest.vendorKey),
        setup: () => this.guest.setupProgram(),
      },
    );
  }

  static async start(options: WorldOptions = {}): Promise<StandInWorld> {
    // The address must be known before the programs that call it are written.
    const placeholder = createServer();
    placeholder.listen(0, '127.0.0.1');
    await once(placeholder, 'listening');
    const { port } = placeholder.address() as AddressInfo;
    placeholder.close();
    await once(placeholder, 'close');
    const world = new StandInWorld(options, `http://127.0.0.1:${port}`);
    world.#server.listen(port, '127.0.0.1');
    await once(world.#server, 'listening');
    await world.guest.prepare();
    mkdirSync(world.keyFolder, { recursive: true });
    const bin = join(world.folder, 'bin');
    mkdirSync(bin);
    writeProgram(join(bin, 'ssh'), world.guest.sshProgram());
    writeProgram(join(bin, 'powershell.exe'), powershellProgram(`http://127.0.0.1:${port}/powershell`));
    // Like wslpath: Windows drives are folders here.
    writeProgram(join(bin, 'wslpath'), `#!/bin/sh\nprintf '%s\\n' '${join(world.folder, 'local')}'\n`);
    await world.#begin(options.begins ?? 'ready');
    return world;
  }

  /** The Windows user's local data folder, as a path here. */
  get localFolder(): string {
    return join(this.folder, 'local');
  }

  get keyFolder(): string {
    return join(this.localFolder, 'DuneAwakeningServer');
  }

  get keyFile(): string {
    return join(this.keyFolder, 'sshKey');
  }

  get isInstalled(): boolean {
    return existsSync(join(this.guest.dune, 'bin/battlegroup'));
  }

  /** Settings of a manager of this world. */
  environment(home: string): Record<string, string> {
    return {
      LOCAL_MANAGER_PORT: '0',
      LOCAL_MANAGER_HOME: home,
      LOCAL_MANAGER_VM_NAME: vmName,
      LOCAL_MANAGER_POWERSHELL: join(this.folder, 'bin/powershell.exe'),
      LOCAL_MANAGER_SSH: join(this.folder, 'bin/ssh'),
      LOCAL_MANAGER_WSLPATH: join(this.folder, 'bin/wslpath'),
      LOCAL_MANAGER_GUEST_PORT: String(this.guest.port),
      LOCAL_MANAGER_GUEST_USER: this.guest.user,
      LOCAL_MANAGER_GUEST_HOME: this.guest.home,
      WSL_DISTRO_NAME: 'stand-in',
      ...(this.#networkTrialMs !== undefined && {
        LOCAL_MANAGER_NETWORK_TRIAL_MS: String(this.#networkTrialMs),
      }),
      ...(this.#updateUrl !== undefined && { LOCAL_MANAGER_UPDATE_URL: this.#updateUrl }),
    };
  }

  installVendorKey(): boolean {
    mkdirSync(this.keyFolder, { recursive: true });
    copyFileSync(this.guest.vendorKey, this.keyFile);
    return true;
  }

  addBattlegroup(title = 'Sietch Tabr', name = worldName): void {
    this.guest.install();
    this.cluster.addBattlegroup(name, title, databasePort);
    this.cluster.isUp = this.host.vm?.state === 'Running';
  }

  async powerOn(): Promise<void> {
    const { vm } = this.host;
    if (vm === undefined) throw new Error('there is no virtual machine');
    vm.state = 'Running';
    vm.startedAt = Date.now() - this.host.options.addressMs;
    await this.guest.on();
    this.cluster.isUp = this.isInstalled;
  }

  async powerOff(): Promise<void> {
    if (this.host.vm !== undefined) this.host.vm.state = 'Off';
    this.cluster.isUp = false;
    await this.guest.off();
  }

  async stop(): Promise<void> {
    await this.guest.off();
    this.cluster.stop();
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #begin(begins: NonNullable<WorldOptions['begins']>): Promise<void> {
    if (begins === 'empty') return;
    this.installVendorKey();
    this.host.vm = { state: 'Off', startupGB: 20, startedAt: 0 };
    this.host.folders.set('D:\\DuneAwakeningServer', 58);
    if (begins === 'half-way') {
      this.guest.install();
      this.cluster.addNamespace(`funcom-seabass-${worldName}`);
    }
    if (begins === 'ready') this.addBattlegroup();
    // It does not run with more memory than the host has.
    if (this.host.vm.startupGB <= this.host.freeGB) await this.powerOn();
  }

  #keyFiles(): string[] {
    const names = existsSync(this.keyFolder) ? readdirSync(this.keyFolder) : [];
    return names.map((name) => `C:\\Users\\admin\\AppData\\Local\\DuneAwakeningServer\\${name}`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/k8s/')) {
      this.cluster.handle(pathname.slice('/k8s'.length), request, response);
      return;
    }
    const body = await readAll(request);
    const [, kind, subject = '', action = ''] = pathname.split('/');
    if (kind === 'powershell')
      response.end(await this.#powershell(body, (line) => response.write(`${line}\r\n`)));
    else if (subject === 'battlegroup') await this.#battlegroup(action, response);
    else if (subject === 'announce') response.end(this.#announce(body));
    else if (subject === 'network') response.end(await this.guest.restartNetwork());
    else
      response.end(JSON.stringify(await this.#setupStep(action, JSON.parse(body) as Record<string, string>)));
  }

  /** Decodes an encoded command as PowerShell would, and runs its script. */
  async #powershell(encoded: string, print: (line: string) => void): Promise<string> {
    const text = Buffer.from(encoded, 'base64').toString('utf16le');
    const script = /^# gantry: (\S+)$/m.exec(text)?.[1];
    const data = /FromBase64String\('([A-Za-z0-9+/=]*)'\)/.exec(text)?.[1];
    if (script === undefined || data === undefined) return 'this is none of the scripts\r\n';
    const values = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as Record<string, unknown>;
    const mark = String(values['mark']);
    const progress = (percent: number) => print(`${mark}-percent ${percent}`);
    return `${mark} ${JSON.stringify(await this.host.execute(script, values, progress))}\r\n`;
  }

  /** Prints what the queue prints; the game ignores a message with a wrong token, which the queue does not see. */
  #announce(expression: string): string {
    const encoded = /base64:decode\(<<"([A-Za-z0-9+/=]+)">>\)/.exec(expression)?.[1];
    if (encoded === undefined) return 'Error: syntax error before: \n';
    const message = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')) as Record<string, string>;
    const content = JSON.parse(message['MessageContent'] ?? '{}') as {
      BroadcastPayload: { LocalizedText: { Body: string }[] };
    };
    const text = content.BroadcastPayload.LocalizedText[0]?.Body ?? '';
    this.announcements.push({ token: message['AuthToken'] ?? '', text });
    return 'ok\n';
  }

  /** The last line is the exit code. */
  async #battlegroup(command: string, response: ServerResponse): Promise<void> {
    this.commands.push(command);
    const failure = this.failures.get(command);
    if (failure !== undefined) {
      response.end([...failure.lines, failure.exitCode].join('\n'));
      return;
    }
    response.write(`battlegroup ${command}\n`);
    await this.held.get(command);
    await pause(500 * this.#pace);
    if (command === 'start') this.cluster.setStopped(false);
    if (command === 'stop') this.cluster.setStopped(true);
    if (command === 'apply-default-usersettings') this.guest.deploySettings();
    response.end('done\n0');
  }

  async #setupStep(step: string, setupInputs: Record<string, string>): Promise<unknown> {
    if (step === 'begin') return this.setup;
    this.setupInputs = setupInputs;
    if (step === 'namespace') {
      this.guest.install();
      this.cluster.isUp = true;
      this.cluster.addNamespace(`funcom-seabass-${worldName}`);
    } else this.addBattlegroup(setupInputs['world'] ?? '');
    return {};
  }
}

/**
 * Sends the encoded command, which is the last argument, to the world; starting Node.js each time would take
 * longer.
 */
const powershellProgram = (url: string) =>
  `#!/bin/sh\nfor last in "$@"; do :; done\nprintf '%s' "$last" | exec curl -sSN --noproxy '*' --data-binary @- '${url}'\n`;

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
