// A heartbeat of a host, with five instances unless another number is given.
import type { BusSchemas } from '../../src/platform-contract/bus-types.ts';

export function heartbeatOf(boot: string, seq: number, instances = 5): BusSchemas['Heartbeat'] {
  return {
    v: 1,
    sent_at: new Date().toISOString(),
    boot,
    seq,
    agent_version: '0.1.0',
    host: {
      cpu_percent: 31.5,
      memory_used_bytes: 8589934592,
      memory_total_bytes: 34359738368,
      disk_used_bytes: 107374182400,
      disk_total_bytes: 512110190592,
    },
    instances: Array.from({ length: instances }, (_, index) => ({
      name: `server-${index}`,
      game: 'rust',
      state: 'running',
      uptime_seconds: 3600 + seq * 10,
      players: 40 + index,
      max_players: 100,
      queued: 0,
      fps: 58.9,
      entities: 120345,
      map: 'Procedural Map',
      cpu_percent: 88.4,
      memory_bytes: 9126805504,
    })),
  };
}

/** Figures of a busy server, which change in the way and with the precision of those that agents report. */
export class ServerFigures {
  #players = 40;
  #entities = 120_000;
  #memoryPages = 2_000_000;

  next() {
    if (Math.random() < 0.1)
      this.#players = Math.max(0, Math.min(100, this.#players + (Math.random() < 0.5 ? 1 : -1)));
    this.#entities = Math.max(1_000, this.#entities + Math.round((Math.random() - 0.5) * 80));
    this.#memoryPages = Math.max(100_000, this.#memoryPages + Math.round((Math.random() - 0.5) * 600));
    return {
      players: this.#players,
      fps: Math.round((58 + (Math.random() - 0.5) * 6) * 10) / 10,
      entities: this.#entities,
      cpu_percent: Math.round((90 + (Math.random() - 0.5) * 40) * 10) / 10,
      memory_bytes: this.#memoryPages * 4_096,
    };
  }
}
