// The areas of the contract that are daily work on game servers, by the rule of
// docs/decisions/0034-step-ups.md.
import type { ContractOperation } from './contract.ts';

/**
 * Areas whose operations are daily work: their changes can be repeated or reverted, and grant no access. The
 * operations of every other area are decided one by one below.
 */
export const dailyWork = new Set([
  'alerts',
  'clusters',
  'console',
  'files',
  'loot',
  'maps',
  'modules',
  'players',
  'plugin-applications',
  'plugin-configs',
  'plugins',
  'power',
  'release-notes',
  'schedules',
  'site-config',
  'webstore-items',
  'webstore-orders',
  'wipes',
]);

export const isDailyWork = ({ area }: ContractOperation) => dailyWork.has(area);

/** Whether an access token alone is enough to call it. */
export const isByAccessToken = ({ security }: ContractOperation) =>
  security.some((alternative) => 'bearerAuth' in alternative || 'superAdmin' in alternative);
