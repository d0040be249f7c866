// Asks the agent which plugins an instance has, and reports those missing that would read written files.
import type { Bus } from '../../bus/bus.ts';
import { DomainError } from '../../errors.ts';
import type { KindDefinition } from '../../plugin-configs/kind.ts';
import type { Remark } from '../../plugin-configs/reading.ts';
import { agreeing } from '../../agent-requests/refusals.ts';
import type { InstanceAddress } from '../../agent-requests/instance-address.ts';

/** How long a caller of a preview waits for it. */
const patienceSeconds = 2;

/**
 * Includes failed plugins, because they are loaded again. Null if unknown: the server is not running, or takes too
 * long.
 */
export async function readersOn(
  bus: Bus,
  { hostId, instance }: InstanceAddress,
): Promise<ReadonlySet<string> | null> {
  try {
    const request = { v: 1 as const, host_id: hostId, instance };
    const { plugins } = await agreeing(bus.ask(hostId, 'plugins', request, patienceSeconds));
    if (plugins === undefined) return null;
    return new Set(plugins.filter(({ state }) => state !== 'unloaded').map(({ name }) => name));
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Returns a remark for each plugin that some of the files are for and that is not loaded. */
export function missingReaders(
  { files }: KindDefinition,
  written: ReadonlySet<string>,
  readers: ReadonlySet<string>,
): Remark[] {
  const unread = files.filter(({ file, plugin }) => written.has(file) && !readers.has(plugin));
  return [...Map.groupBy(unread, ({ plugin }) => plugin)].map(([plugin, parts]) => {
    const [only, ...others] = parts;
    const names = [...new Set(parts.map(({ file }) => file))].join(', ');
    return {
      pointer: others.length > 0 || only?.field === undefined ? '' : `/${only.field}`,
      detail: `${plugin} is not loaded on the server, and nothing else reads ${names}.`,
    };
  });
}
