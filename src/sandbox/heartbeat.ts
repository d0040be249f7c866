// The heartbeats of a simulated host: plausible figures, computed from its state and the time.
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { agentVersion, type SimulatedHost, type SimulatedServer } from './state.ts';

/** The part of a host's state that heartbeats report. It is stored apart: the state can be large. */
export interface Vitals {
  boot: string;
  isSilent: boolean;
  servers: Record<string, ServerVitals>;
}

interface ServerVitals extends Pick<
  SimulatedServer,
  'state' | 'startedMs' | 'seed' | 'worldSize' | 'maxPlayers'
> {
  playerCount: number;
}

export const vitalsOf = ({ boot, isSilent, servers }: SimulatedHost): Vitals => ({
  boot,
  isSilent,
  servers: Object.fromEntries(
    Object.entries(servers).map(([name, { state, startedMs, seed, worldSize, maxPlayers, players }]) => [
      name,
      { state, startedMs, seed, worldSize, maxPlayers, playerCount: players.length },
    ]),
  ),
});

const GiB = 1024 ** 3;

const capabilities: BusSchemas['InstanceCapability'][] = [
  'announcements',
  'console_input',
  'console_output',
  'console_replies',
  'deliveries',
  'players',
  'plugin_reloads',
  'plugins',
  'saves',
  'wipes',
];

/** From 0 to 1, slowly and always the same way. */
const wave = (ms: number, periodMs: number) => (Math.sin((2 * Math.PI * ms) / periodMs) + 1) / 2;

/** `realMs` orders heartbeats and is their time; `nowMs` is the sandbox's time. */
export function heartbeatOf(host: Vitals, realMs: number, nowMs: number): BusSchemas['Heartbeat'] {
  const servers = Object.entries(host.servers);
  const running = servers.filter(([, { state }]) => state === 'running').length;
  return {
    v: 1,
    sent_at: new Date(realMs).toISOString(),
    boot: host.boot,
    seq: realMs,
    agent_version: agentVersion,
    host: {
      cpu_percent: round(5 + running * 18 + 10 * wave(realMs, 420_000)),
      memory_used_bytes: Math.round((2 + running * 7 + wave(realMs, 900_000)) * GiB),
      memory_total_bytes: 64 * GiB,
      disk_used_bytes: 120 * GiB,
      disk_total_bytes: 512 * GiB,
    },
    instances: servers.map(([name, server]) => reportOf(name, server, realMs, nowMs)),
  };
}

function reportOf(
  name: string,
  server: ServerVitals,
  realMs: number,
  nowMs: number,
): BusSchemas['InstanceReport'] {
  const base = { name, game: 'rust', state: server.state, capabilities };
  if (server.state !== 'running') return { ...base, uptime_seconds: 0 };
  const count = server.playerCount;
  return {
    ...base,
    uptime_seconds: Math.max(0, Math.floor((nowMs - server.startedMs) / 1_000)),
    players: count,
    max_players: server.maxPlayers,
    queued: 0,
    fps: round(60 - count / 4 - 6 * wave(realMs, 300_000)),
    entities: 84_000 + count * 150,
    map: 'Procedural Map',
    seed: server.seed,
    world_size: server.worldSize,
    cpu_percent: round(40 + count * 2 + 15 * wave(realMs, 240_000)),
    memory_bytes: Math.round((6 + wave(realMs, 3_600_000)) * GiB),
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
