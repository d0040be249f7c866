// Where a virus scanner is put in: it sees every file before anybody can get it.
import type { Readable } from 'node:stream';

export interface ScanResult {
  status: 'clean' | 'infected' | 'not_scanned';
  /** For people. */
  detail: string;
}

export interface Scanner {
  /** `open` gives the content as often as it is asked. What it throws keeps the file from being taken. */
  scan(open: () => Promise<Readable>): Promise<ScanResult>;
}

export const noScanner: Scanner = {
  scan: async () => ({ status: 'not_scanned', detail: 'This installation has no virus scanner.' }),
};
