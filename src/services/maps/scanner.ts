// The extension point for a virus scanner, which scans every file before it can be downloaded.
import type { Readable } from 'node:stream';

export interface ScanResult {
  status: 'clean' | 'infected' | 'not_scanned';
  /** A human-readable explanation. */
  detail: string;
}

export interface Scanner {
  /** `open` returns a new stream of the content on each call. If `scan` throws, the file is not accepted. */
  scan(open: () => Promise<Readable>): Promise<ScanResult>;
}

export const noScanner: Scanner = {
  scan: async () => ({ status: 'not_scanned', detail: 'This installation has no virus scanner.' }),
};
