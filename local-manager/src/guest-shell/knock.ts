// Tests whether something listens at an address.
import { createConnection } from 'node:net';

const knockMs = 4_000;

export function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: knockMs });
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}

/** The first address that accepts connections, or else the first one. The list may include outdated addresses. */
export async function firstReachable(hosts: readonly string[], port: number): Promise<string | null> {
  if (hosts.length < 2) return hosts[0] ?? null;
  const isOpen = await Promise.all(hosts.map((host) => isReachable(host, port)));
  return hosts.find((_, index) => isOpen[index] === true) ?? hosts[0] ?? null;
}
