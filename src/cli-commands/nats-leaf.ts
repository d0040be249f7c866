// The files with which a nats-server of another region becomes a leaf node of the bus, for the agents there.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { accountsOf, leafCredentials, serverConfiguration } from '../bus/keys.ts';
import type { Config } from '../config/index.ts';
import { obtainBusKeys } from '../embedded/infrastructure.ts';
import { ConfigError } from '../process/environment.ts';

export interface LeafOptions {
  /** Where the files are written. */
  directory: string;
  /** Where the servers of the bus take leaf nodes: `tls://` or `nats-leaf://`. */
  urls: readonly string[];
  /** Where the files will be on the leaf node's machine. */
  place: string;
}

/** Returns the files. None of them is replaced: credentials are valid as long as the keys of the bus. */
export async function writeLeaf(config: Config, { directory, urls, place }: LeafOptions): Promise<string[]> {
  for (const url of urls)
    if (!/^(?:tls|nats-leaf):\/\/[^/@]+:\d+$/.test(url))
      throw new ConfigError(`an address must be tls://host:port or nats-leaf://host:port, not "${url}"`);
  const keys = await obtainBusKeys(config);
  const { prefix } = config.nats;
  const { account, system } = accountsOf(keys);
  const credentials = leafCredentials(keys, prefix);
  const remote = (id: string, file: string) =>
    `{ urls: ${JSON.stringify(urls)}, account: ${id}, credentials: ${JSON.stringify(posix.join(place, file))} }`;
  const configuration = `${await serverConfiguration(keys, prefix, posix.join(place, 'jwt'))}leafnodes {
  remotes: [
    ${remote(account, 'gantry.creds')}
    ${remote(system, 'system.creds')}
  ]
}
`;
  const files = [
    ['nats-gantry.conf', configuration],
    ['gantry.creds', credentials.account],
    ['system.creds', credentials.system],
  ] as const;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const written: string[] = [];
  for (const [name, text] of files) {
    const file = join(directory, name);
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    written.push(file);
  }
  return written;
}
