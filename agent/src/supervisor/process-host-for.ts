// Chooses the process host of the operating system.
import { PosixHost } from './posix-host.ts';
import type { ProcessHost } from './process-host.ts';
import { WindowsHost } from './windows-host.ts';

export function processHostFor(platform: NodeJS.Platform): ProcessHost {
  return platform === 'win32' ? new WindowsHost() : new PosixHost(platform === 'linux');
}
