// The state of a simulated host and its game servers, as it is stored between two steps.
import type { BusSchemas, UpKind } from '../platform-contract/bus-types.ts';
import { textFile } from './content.ts';
import { nextUuid, type RandomState } from './random.ts';

export interface SimulatedPlayer {
  steamId: string;
  name: string;
  /** In milliseconds of Unix time, by the sandbox's clock. */
  joinedMs: number;
  pingMs: number;
}

export interface SimulatedWipe {
  id: string;
  seq: number;
  request: BusSchemas['WipeRequest'];
  wasRunning: boolean;
}

export interface SimulatedServer {
  state: BusSchemas['InstanceState'];
  /** When the process started, by the sandbox's clock; 0 while none runs. */
  startedMs: number;
  seed: number;
  worldSize: number;
  maxPlayers: number;
  players: SimulatedPlayer[];
  bans: string[];
  plugins: (BusSchemas['InstalledPlugin'] & { source?: string })[];
  backups: BusSchemas['BackupRecord'][];
  wipe: SimulatedWipe | null;
  /** The latest console lines. */
  lines: BusSchemas['ConsoleLine'][];
  lineSeq: number;
  stateSeq: number;
  backupsSeq: number;
}

/** What happens next, at a time of the sandbox's clock. */
export type Step = { atMs: number; instance: string } & (
  | { kind: 'finish'; result: Omit<BusSchemas['CommandResult'], 'v' | 'finished_at'> }
  | { kind: 'running'; commandId: string | null }
  | { kind: 'stopped'; commandId: string | null; startsAgain: boolean }
  | { kind: 'wipe'; status: BusSchemas['WipeStatus'] }
  | { kind: 'backup'; record: BusSchemas['BackupRecord']; commandId: string }
  /** Players come, talk and go. It repeats, so moving the clock does not stop at each. */
  | { kind: 'players' }
  /** A command that waited while the server started or stopped. */
  | { kind: 'command'; envelope: BusSchemas['CommandEnvelope'] }
  /** The silence of the host ends. It concerns no server. */
  | { kind: 'sound' }
);

/** What the agent sends, until the platform has acknowledged it. */
export interface Outgoing {
  id: string;
  kind: Exclude<UpKind, 'heartbeat' | 'bye'>;
  message: object;
}

/** A player who joined or left, as the server's plugin reports it. */
export interface PlayerSign {
  instance: string;
  steamId: string;
  name: string;
  event: 'join' | 'leave';
  atMs: number;
  id: string;
}

export interface SimulatedHost extends RandomState {
  boot: string;
  /** A silent host sends nothing and replies to nothing. */
  isSilent: boolean;
  servers: Record<string, SimulatedServer>;
  files: Record<string, Record<string, string>>;
  steps: Step[];
  outbox: Outgoing[];
  signs: PlayerSign[];
  /** IDs of the latest commands, which are carried out once however often they arrive. Absent in older states. */
  taken?: string[];
}

/** The value of the object's own property; names come from callers. */
export const ownValue = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

export const agentVersion = 'simulated';
export const platformName = 'simulated';

const maxLines = 100;
const defaultWorldSize = 3_500;

export function createHost(seed: number): SimulatedHost {
  const host: SimulatedHost = {
    random: seed | 0,
    boot: '',
    isSilent: false,
    servers: {},
    files: {},
    steps: [],
    outbox: [],
    signs: [],
  };
  host.boot = nextUuid(host);
  for (const [index, name] of simulatedInstances.entries()) {
    host.servers[name] = {
      state: 'stopped',
      startedMs: 0,
      seed: 1_337 + index,
      worldSize: defaultWorldSize,
      maxPlayers: 100,
      players: [],
      bans: [],
      plugins: [
        {
          name: 'Kits',
          title: 'Rust Kits',
          version: '4.4.1',
          author: 'k1lly0u',
          file: 'Kits.cs',
          state: 'loaded',
        },
        {
          name: 'GantryEvents',
          title: 'Gantry Events',
          version: '1.0.0',
          author: 'Gantry',
          file: 'GantryEvents.cs',
          state: 'loaded',
        },
      ],
      backups: [],
      wipe: null,
      lines: [],
      lineSeq: 0,
      stateSeq: 0,
      backupsSeq: 0,
    };
    host.files[name] = {
      'server.cfg': textFile('hostname "Sandbox"\nmaxplayers 100\n'),
      'oxide/config/Kits.json': textFile('{\n  "Kit chat command": "kit"\n}\n'),
      'oxide/plugins/Kits.cs': textFile('// The simulated plugin Kits.\n'),
      'oxide/plugins/GantryEvents.cs': textFile('// The simulated plugin GantryEvents.\n'),
    };
  }
  return host;
}

/** Reports that the host takes commands; the platform then sends those that wait for it. */
export function sendHello(host: SimulatedHost, nowMs: number): void {
  send(host, 'hello', {
    v: 1,
    sent_at: new Date(nowMs).toISOString(),
    agent_version: agentVersion,
    boot: host.boot,
    platform: platformName,
    instances: Object.keys(host.servers),
  });
}

/** The game servers of a sandbox. The first one runs from the start. */
export const simulatedInstances = ['main', 'event'] as const;

export function send(host: SimulatedHost, kind: Outgoing['kind'], message: object): void {
  host.outbox.push({ id: nextUuid(host), kind, message });
}

/** Adds a step; steps stay sorted by their time. */
export function plan(host: SimulatedHost, step: Step): void {
  host.steps.push(step);
  host.steps.sort((one, other) => one.atMs - other.atMs);
}

export function changeState(
  host: SimulatedHost,
  instance: string,
  state: SimulatedServer['state'],
  nowMs: number,
): void {
  const server = host.servers[instance];
  if (server === undefined || server.state === state) return;
  server.state = state;
  server.stateSeq += 1;
  send(host, 'instance-state', {
    v: 1,
    id: nextUuid(host),
    boot: host.boot,
    seq: server.stateSeq,
    instance,
    state,
    at: new Date(nowMs).toISOString(),
  });
}

export function print(
  server: SimulatedServer,
  text: string,
  nowMs: number,
  stream: BusSchemas['ConsoleLine']['stream'] = 'stdout',
  by?: string,
): void {
  server.lineSeq += 1;
  const line = { seq: server.lineSeq, at: new Date(nowMs).toISOString(), stream, text, ...(by && { by }) };
  server.lines = [...server.lines, line].slice(-maxLines);
}

export function finish(
  host: SimulatedHost,
  nowMs: number,
  result: Omit<BusSchemas['CommandResult'], 'v' | 'finished_at'>,
): void {
  send(host, 'command-result', { v: 1, finished_at: new Date(nowMs).toISOString(), ...result });
}
