// Lanes of jobs: each has its own workers, so that an outside service that hangs stops only its lane.
import type { JobPayloads } from '../queue/payloads.ts';

export interface Lane {
  /** Jobs of this lane that one process runs at once. */
  maxRunning: number;
  /** Maximum concurrent jobs of one license, so that it never blocks the jobs of others. */
  maxOfLicense: number;
  /** How often an idle worker polls for due jobs; new jobs wake it at once. */
  pollMs: number;
}

/** Per license, the maximum number of hosts without a reply to their last command that workers wait for at once. */
export const maxSilentHosts = 4;

export const lanes = {
  /** Commands for agents. Jobs in this lane wait for agents only. */
  commands: { maxRunning: 48, maxOfLicense: 20, pollMs: 5_000 },
  /** Longer exchanges with agents about files. */
  files: { maxRunning: 8, maxOfLicense: 2, pollMs: 5_000 },
  /** The mail server; each running job is one connection to it. */
  mail: { maxRunning: 6, maxOfLicense: 2, pollMs: 5_000 },
  /** Payment providers. */
  payments: { maxRunning: 8, maxOfLicense: 2, pollMs: 5_000 },
  /** The storage of uploaded files. */
  storage: { maxRunning: 4, maxOfLicense: 1, pollMs: 5_000 },
  /** Work on the database only. */
  database: { maxRunning: 8, maxOfLicense: 4, pollMs: 5_000 },
} as const satisfies Record<string, Lane>;

export type LaneName = keyof typeof lanes;

export const laneOf: Record<keyof JobPayloads, LaneName> = {
  'relay-commands': 'commands',
  'publish-revocations': 'commands',
  'apply-plugin-config': 'files',
  'read-back-plugin-config': 'files',
  'send-mail': 'mail',
  'open-checkout': 'payments',
  'close-checkout': 'payments',
  'open-subscription': 'payments',
  'cancel-subscription': 'payments',
  'undo-subscription': 'payments',
  'remove-file': 'storage',
  'remove-files': 'storage',
  'archive-months': 'storage',
  'start-password-reset': 'database',
  'prepare-sandboxes': 'database',
  'rotate-backups': 'database',
  'warn-of-payment': 'database',
  'write-to-buyer': 'database',
  'welcome-signup': 'database',
  'welcome-customers': 'database',
  'record-reseller-bills': 'database',
  'renew-module-subscriptions': 'database',
  'delete-old': 'database',
  'recount-platform': 'database',
  housekeeping: 'database',
};
