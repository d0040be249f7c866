// What the roles of a process are started with, and what they leave to be closed.
import type { Logger } from 'pino';
import type { Contract } from '../app.ts';
import type { BusKeys } from '../bus/keys.ts';
import type { HealthPort, Role } from '../config/index.ts';
import type { DatabaseLimits } from '../database/client.ts';
import type { MailSettings } from '../mail/mailer.ts';
import type { PaymentSettings } from '../payments/settings.ts';
import type { OutboundSettings } from '../outbound/outbound.ts';
import type { KindDefinition } from '../plugin-configs/kind.ts';
import type { Scanner } from '../services/maps/scanner.ts';
import type { StorageSettings } from '../storage/open-storage.ts';
import type { WatchdogSettings } from '../process/work-monitor.ts';

/** What to close at the end, in the reverse order. */
export type Closers = (() => Promise<unknown>)[];

export interface PlatformOptions {
  databaseUrl: string;
  /** Most connections to the database of each kind, for reads and for writes; ten unless given. */
  poolSize?: number;
  /** How long the database may take; the usual limits unless given. */
  databaseLimits?: Partial<DatabaseLimits>;
  /** When work that repeats counts as hanging; two minutes without progress unless given. */
  watchdog?: WatchdogSettings;
  bus: { url: string; agentUrls: string[]; keys: BusKeys; prefix: string; pingMs?: number };
  /** Takes a bus that checks no credentials: anybody who reaches it can pass for any agent. */
  allowOpenBus: boolean;
  jwtSecret: string;
  /** Seals what the database keeps and nobody may read there. */
  sealingSecret: string;
  mail: MailSettings;
  /** Where uploaded files are kept. */
  storage: StorageSettings;
  /** Looks at uploaded files; nobody does unless given. */
  scanner?: Scanner;
  /** Where Pushover takes messages, unless it is where it is for everybody. */
  pushoverUrl?: string;
  /** What may be sent where; to public addresses over https only unless given. */
  outbound?: OutboundSettings;
  /** Who takes payments; nobody unless given. */
  payments?: PaymentSettings;
  /** How the outside reaches the platform; the address that it listens on unless given. */
  publicUrl?: string | undefined;
  /** Where people administer their licenses, and where `/` leads; the API's own pages unless given. */
  panelUrl?: string | undefined;
  roles: ReadonlySet<Role>;
  host: string;
  port: number;
  /** Where health and metrics are served apart from the API; nowhere unless given. */
  health?: HealthPort | undefined;
  /**
   * How long the API takes new connections once it is not ready any more, and how long requests may take after that; at
   * once and ten seconds unless given. And how long jobs under way may take then.
   */
  stopping?: { drainMs: number; requestsMs: number; jobsMs: number };
  heartbeatIntervalSeconds: number;
  bootstrap: { email: string; password: string } | undefined;
  /** Web pages of these origins may call the API; none unless given. */
  corsOrigins?: readonly string[];
  /** Proxies in front, as a number or by address; none unless given. */
  trustProxy?: number | readonly string[];
  /** Multiplies what the rate limits allow. */
  rateLimitFactor?: number;
  /** Passwords that are hashed at the same time. */
  passwordHashesAtOnce?: number;
  validateReplies: boolean;
  /** Another contract than the platform's own, for measurements. */
  contract?: Contract;
  /** Other kinds of plugin configurations than those in the registry. */
  pluginKinds?: readonly KindDefinition[];
  log: Logger;
  /** Lines of the log that could not be written so far. */
  lostLogLines?: () => number;
}
