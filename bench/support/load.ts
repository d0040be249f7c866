// Repeats one request on many connections.
import autocannon from 'autocannon';

export const connections = 32;
const seconds = 4;

export interface Target {
  url: string;
  headers: Record<string, string>;
}

export interface Load {
  /** Responses per second. */
  rate: number;
  count: number;
  p99Ms: number;
}

/** Throws unless all requests succeed. */
export async function measureLoad({ url, headers }: Target): Promise<Load> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors`);
  return { rate: result.requests.average, count: result.requests.total, p99Ms: result.latency.p99 };
}

/** Responses per second; throws unless all of them succeed. */
export async function load(target: Target): Promise<number> {
  return (await measureLoad(target)).rate;
}
