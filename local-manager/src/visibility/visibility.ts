// Reads and changes the address that players use, and lists the ports that a router must forward.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import { readGuestFile, replaceGuestFiles } from '../guest-shell/guest-files.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal } from '../refusals.ts';
import { isPrivateAddress, usableAddress } from './addresses.ts';
import { addressIn, withAddress } from './settings-file.ts';
import type { WatchedAddress, WatchedAddressFile } from './watched-address.ts';

type Schemas = components['schemas'];

const publicIpMs = 15_000;
export const queuePort = 31982;
export const gamePorts = { first: 7777, last: 7810 } as const;

const hints = [
  'Self-hosted worlds are listed under Servers in Experimental. Changes appear there after two or three minutes.',
  'An empty display name can hide the server: set Bgd.ServerDisplayName in the game settings.',
  'Forward every port to the virtual machine’s address, not to the host’s.',
  'The director shows the state of the server to every visitor; opinions differ on whether it has to be forwarded.',
];

const publicIpScript = `wget -q -T 8 -O - https://api.ipify.org 2>/dev/null || curl -fsS -m 8 https://api.ipify.org`;

interface Parts {
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  watched: WatchedAddressFile;
}

export class Visibility {
  readonly #guest: Guest;
  readonly #battlegroups: Battlegroups;
  readonly #operations: Operations;
  readonly #watched: WatchedAddressFile;

  constructor({ guest, battlegroups, operations, watched }: Parts) {
    this.#guest = guest;
    this.#battlegroups = battlegroups;
    this.#operations = operations;
    this.#watched = watched;
  }

  async get(detectPublicIp: boolean): Promise<Schemas['ServerVisibility']> {
    const shell = await this.#guest.open();
    const { content } = await readGuestFile(shell, this.#settings);
    // Only newer packages have this file, and nothing depends on it.
    const mode = await readGuestFile(shell, `${this.#guest.folder}/battlegroup-ip.conf`).catch(
      (error: unknown) => {
        if (isRefusal(error)) return undefined;
        throw error;
      },
    );
    const { directorPort, externalIp } = await this.#battlegroups.probe(shell);
    const advertisedIp = addressIn(content);
    return {
      advertisedIp,
      vmIp: shell.host,
      publicIp: detectPublicIp ? await publicIpOf(shell) : null,
      registeredIp: externalIp,
      isWan: isWan(advertisedIp, shell),
      isOtherPrivate: advertisedIp !== null && isWan(advertisedIp, shell) && isPrivateAddress(advertisedIp),
      isInEffect: externalIp === null ? null : externalIp === (advertisedIp ?? shell.host),
      watchedIp: viewWatched(await this.#watched.get()),
      addressMode: modeIn(mode?.content.toString('utf8') ?? ''),
      directorPort,
      portForwardTarget: shell.host,
      portForward: portForward(directorPort),
      hints,
    };
  }

  /** The public address as seen from outside; null if it was not found. */
  async publicIp(): Promise<string | null> {
    return publicIpOf(await this.#guest.open());
  }

  async update(advertisedIp: string | null): Promise<Schemas['VisibilityChange']> {
    const wanted =
      advertisedIp === null ? null : usableAddress(advertisedIp, 'The advertised address', '/advertisedIp');
    this.#operations.refuseWhileRunning();
    const shell = await this.#guest.open();
    return this.#operations.begin(
      'changeVisibility',
      (run) => run.step('Write line 4 of settings.conf', () => this.write(shell, wanted)),
      (change) => ({ summary: change.message, visibility: change }),
    ).result;
  }

  async write(shell: GuestShell, wanted: string | null): Promise<Schemas['VisibilityChange']> {
    const before = await readGuestFile(shell, this.#settings);
    const previousIp = addressIn(before.content);
    const isChanged = !before.isThere || previousIp !== wanted;
    const content = withAddress(before.content, wanted);
    const [after = before] = isChanged
      ? await replaceGuestFiles(shell, [{ path: this.#settings, before, content }])
      : [];
    return {
      advertisedIp: addressIn(after.content),
      previousIp,
      isWan: isWan(wanted, shell),
      requiresBattlegroupRestart: isChanged,
      message: isChanged
        ? 'Stop the battlegroup and start it again: the gateway reads the address only when it starts. If the old address is still registered afterwards, restart the virtual machine.'
        : 'The address is unchanged; nothing was written.',
    };
  }

  get #settings(): string {
    return `${this.#guest.folder}/settings.conf`;
  }
}

/** The field of the last notification is the manager's own. */
function viewWatched(watched: WatchedAddress | null): WatchedAddress | null {
  if (watched === null) return null;
  const { publicIp, since, observedAt } = watched;
  return { publicIp, since, observedAt };
}

const isWan = (advertisedIp: string | null, { host }: GuestShell) =>
  advertisedIp !== null && advertisedIp !== host;

export function portForward(directorPort: number | null): Schemas['PortForward'][] {
  return [
    {
      port: String(queuePort),
      protocol: 'TCP',
      purpose: 'Queue and matchmaking, required for the server finder',
    },
    ...(directorPort === null
      ? []
      : [{ port: String(directorPort), protocol: 'TCP' as const, purpose: 'Director' }]),
    { port: `${gamePorts.first}-${gamePorts.last}`, protocol: 'UDP', purpose: 'Game traffic' },
  ];
}

async function publicIpOf(shell: GuestShell): Promise<string | null> {
  const { exitCode, stdout } = await shell.run({ script: publicIpScript, timeoutMs: publicIpMs });
  return exitCode === 0 && /^[\d.]{7,15}$/.test(stdout.trim()) ? stdout.trim() : null;
}

function modeIn(text: string): string | null {
  return /\b(public|private|manual|auto|local)\b/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
