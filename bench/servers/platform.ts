// The platform as a child of a benchmark; its contract can be padded to a number of paths, or be public.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createPlatformLog } from '../../src/process/log.ts';
import { defaultPayments } from '../../src/payments/settings.ts';
import { startPlatform } from '../../src/platform.ts';
import type { PlatformOptions } from '../../src/process-roles/options.ts';
import { openDocument } from '../support/opening.ts';
import { padDocument } from '../support/padding.ts';
import { serveParent, settingsOfChild } from '../support/child.ts';

interface Settings extends Pick<PlatformOptions, 'databaseUrl' | 'bus' | 'jwtSecret'> {
  roles: ('api' | 'ingest' | 'jobs')[];
  heartbeatIntervalSeconds?: number;
  paths?: number;
  /** Treats every caller as a user of this license with all permissions. */
  openTo?: string;
}

const { roles, paths, openTo, heartbeatIntervalSeconds = 60, ...rest } = settingsOfChild<Settings>();
const platform = await startPlatform({
  ...rest,
  encryptionSecret: rest.jwtSecret,
  mail: { smtpUrl: undefined, from: 'gantry@example.com', directory: join(tmpdir(), 'gantry-bench-mail') },
  storage: { directory: join(tmpdir(), 'gantry-bench-storage') },
  payments: { ...defaultPayments, allowsSandbox: true },
  outbound: { allow: ['127.0.0.0/8'], allowsHttp: true },
  allowOpenBus: false,
  rateLimitFactor: 1_000,
  roles: new Set(roles),
  host: '127.0.0.1',
  port: 0,
  heartbeatIntervalSeconds,
  bootstrap: { email: 'bench@example.com', password: 'correct-horse-battery' },
  validateReplies: false,
  log: createPlatformLog('info', pino.destination('/dev/null')),
  ...(paths !== undefined && { contract: padDocument(paths) }),
  ...(openTo !== undefined && { contract: openDocument(openTo) }),
});
serveParent({ url: platform.url ?? '' });
