// The options that the roles of a process start with, and the functions that close what they opened.
import type { Logger } from 'pino';
import type { Contract } from '../app.ts';
import type { ArchiveSettings } from '../archive/month-archive.ts';
import type { BusKeys } from '../bus/keys.ts';
import type { HealthPort, Role } from '../config/index.ts';
import type { SandboxSettings } from '../config/sandbox-settings.ts';
import type { DatabaseLimits } from '../database/client.ts';
import type { ReplicaSettings } from '../database/replica.ts';
import type { JobIntervals } from '../jobs/chores.ts';
import type { MailSettings } from '../mail/mailer.ts';
import type { PaymentSettings } from '../payments/settings.ts';
import type { PanelOptions } from '../pages/panel/index.ts';
import type { OutboundSettings } from '../outbound/outbound.ts';
import type { KindDefinition } from '../plugin-configs/kind.ts';
import type { Scanner } from '../services/maps/scanner.ts';
import type { StorageSettings } from '../storage/open-storage.ts';
import type { WatchdogSettings } from '../process/work-monitor.ts';

/** Functions that close resources, called in reverse order at the end. */
export type Closers = (() => Promise<unknown>)[];

export interface PlatformOptions {
  databaseUrl: string;
  /** A standby for reads that may be a little old, used by the role `api`; none unless given. */
  databaseReplica?: ReplicaSettings | undefined;
  /** Maximum database connections of each kind, for reads and for writes; ten unless given. */
  poolSize?: number;
  /** Time limits of the database; the usual limits unless given. */
  databaseLimits?: Partial<DatabaseLimits>;
  /** When repeated work counts as hanging; after two minutes without progress unless given. */
  watchdog?: WatchdogSettings;
  bus: { url: string; agentUrls: string[]; keys: BusKeys; prefix: string; pingMs?: number };
  /** Accepts a bus that checks no credentials, where any client can impersonate any agent. */
  allowOpenBus: boolean;
  jwtSecret: string;
  /** The secret that encrypts confidential values in the database. */
  encryptionSecret: string;
  mail: MailSettings;
  /** Where uploaded files are kept. */
  storage: StorageSettings;
  /** Whether no other process shares the database, so that another storage than before is taken. Not so unless given. */
  isAlone?: boolean;
  /** The archive of closed months; none is written unless given. */
  archive?: ArchiveSettings;
  /** The release of the agent that hosts install; none unless given. */
  agentReleaseDirectory?: string;
  /** Scans uploaded files; no scan unless given. */
  scanner?: Scanner;
  /** The Pushover API's URL, if not the public one. */
  pushoverUrl?: string;
  /** Which destinations outgoing requests may have; only public addresses over https unless given. */
  outbound?: OutboundSettings;
  /** The payment providers; none unless given. */
  payments?: PaymentSettings;
  /** Whether anybody can create sandboxes; off unless given. */
  sandboxes?: SandboxSettings;
  /** The public URL of the platform; the address that it listens on unless given. */
  publicUrl?: string | undefined;
  /** The panel to serve, if any. */
  panel?: PanelOptions | undefined;
  /** The URL of another web panel, which `/` redirects to. */
  panelUrl?: string | undefined;
  roles: ReadonlySet<Role>;
  host: string;
  port: number;
  /** Where health and metrics are served separately from the API; nowhere unless given. */
  health?: HealthPort | undefined;
  /**
   * How long the API accepts connections after it stops being ready; how long requests, and then running jobs, may
   * take to finish. Defaults: no drain time, and ten seconds each.
   */
  stopping?: { drainMs: number; requestsMs: number; jobsMs: number };
  /** Intervals of jobs that differ from the usual ones. */
  jobIntervals?: JobIntervals;
  heartbeatIntervalSeconds: number;
  bootstrap: { email: string; password: string } | undefined;
  /** Origins whose web pages may call the API; none unless given. */
  corsOrigins?: readonly string[];
  /** Trusted proxies in front, as a number or by address; none unless given. */
  trustProxy?: number | readonly string[];
  /** Multiplies the rate limits. */
  rateLimitFactor?: number;
  /** Maximum concurrent password hashes. */
  passwordHashesAtOnce?: number;
  validateReplies: boolean;
  /** A contract other than the platform's own, for measurements. */
  contract?: Contract;
  /** Kinds of plugin configurations to use instead of those in the registry. */
  pluginKinds?: readonly KindDefinition[];
  log: Logger;
  /** Returns the number of log lines that could not be written so far. */
  lostLogLines?: () => number;
}
