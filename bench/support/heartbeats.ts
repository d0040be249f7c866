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
