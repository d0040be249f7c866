// Checks what this host can see of the ports that players need, and says what that shows.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroup } from '../battlegroup/battlegroup-view.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import { isReachable } from '../guest-shell/knock.ts';
import { gamePorts, queuePort, type Visibility } from './visibility.ts';

type Schemas = components['schemas'];
type Check = Schemas['PortCheck'];

const socketsScript = `cat /proc/net/udp /proc/net/udp6 2>/dev/null; exit 0`;

const limits = [
  'A router’s port forwarding can only be proven from outside of this network: ask a friend to join, or use a phone without Wi-Fi.',
  'UDP has no connections to test: the check shows only whether a program in the virtual machine listens.',
];

interface Parts {
  guest: Guest;
  battlegroups: Battlegroups;
  visibility: Visibility;
}

export class PortCheck {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(): Promise<Schemas['PortChecks']> {
    const { guest, battlegroups, visibility } = this.#parts;
    const shell = await guest.open();
    const battlegroup = await battlegroups.only(shell);
    const { advertisedIp, isWan, isOtherPrivate } = await visibility.get(false);
    const { directorPort } = battlegroup;
    const checks = await Promise.all([
      tcp(shell.host, queuePort, 'The game’s message queue', battlegroup),
      ...(directorPort === null ? [] : [tcp(shell.host, directorPort, 'The director', battlegroup)]),
      udp(shell, battlegroup),
      ...(isWan && advertisedIp !== null ? [throughAddress(advertisedIp, isOtherPrivate)] : []),
    ]);
    return { checkedAt: new Date().toISOString(), checks, limits };
  }
}

async function tcp(address: string, port: number, name: string, { isStopped }: Battlegroup): Promise<Check> {
  const isOpen = await isReachable(address, port);
  return {
    port: String(port),
    protocol: 'TCP',
    address,
    state: isOpen ? 'open' : 'closed',
    proves: isOpen
      ? `${name} listens, and this host reaches it.`
      : `This host does not reach it. ${isStopped ? 'The battlegroup is stopped.' : `${name} does not listen, or a firewall is between.`}`,
  };
}

async function udp(shell: GuestShell, { isStopped }: Battlegroup): Promise<Check> {
  const listening = listeningPorts(await shell.read({ script: socketsScript }), gamePorts);
  const check = {
    port: `${gamePorts.first}-${gamePorts.last}`,
    protocol: 'UDP',
    address: shell.host,
  } as const;
  if (listening.length > 0)
    return {
      ...check,
      state: 'open',
      proves: `Programs in the virtual machine listen on ${listening.join(', ')}. This does not show whether players’ packets arrive there.`,
    };
  return isStopped
    ? { ...check, state: 'closed', proves: 'The battlegroup is stopped, so no game server listens there.' }
    : {
        ...check,
        state: 'unknown',
        proves:
          'No program listens there in the virtual machine’s own network. Some packages forward packets to their game servers in another way, which this check cannot see.',
      };
}

/** The queue at the advertised address, which is not the virtual machine's own. */
async function throughAddress(address: string, isPrivate: boolean): Promise<Check> {
  const check = { port: String(queuePort), protocol: 'TCP', address } as const;
  const isOpen = await isReachable(address, queuePort);
  if (isPrivate)
    return {
      ...check,
      state: isOpen ? 'open' : 'closed',
      proves: isOpen
        ? 'This host reaches the queue through the advertised private address. Players need a network that leads there.'
        : 'This host does not reach the advertised private address. Players can join only if their network leads there.',
    };
  return {
    ...check,
    state: isOpen ? 'open' : 'unknown',
    proves: isOpen
      ? 'This host reaches the queue through the public address, so the router forwards it, at least from inside.'
      : 'The public address cannot be reached from here. Many routers do not support connections from inside to their own public address, so this proves nothing.',
  };
}

/** Ports within the range that UDP sockets of /proc/net/udp are bound to. */
export function listeningPorts(table: string, { first, last }: { first: number; last: number }): number[] {
  const ports = [...table.matchAll(/^\s*\d+:\s+[0-9A-F]+:([0-9A-F]{4})\s/gim)].map(([, hex = '']) =>
    Number.parseInt(hex, 16),
  );
  return [...new Set(ports.filter((port) => port >= first && port <= last))].toSorted((a, b) => a - b);
}
