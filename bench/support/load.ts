// Repeats one request on many connections.
import autocannon from 'autocannon';

export const connections = 32;
const seconds = 4;

export interface Target {
  url: string;
  headers: Record<string, string>;
}

/** Responses per second; throws unless all of them succeed. */
export async function load({ url, headers }: Target): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors`);
  return result.requests.average;
}
