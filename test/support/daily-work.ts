// Which areas of the contract are the daily work on game servers, by the rule of docs/decisions/0034-step-ups.md.
import type { ContractOperation } from './contract.ts';

/**
 * Areas whose operations are the daily work on what a license has: what they change can be made again or taken back, and
 * nobody enters by it. An area that is not named here has each of its operations decided below.
 */
export const dailyWork = new Set([
  'alerts',
  'changelog',
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
  'schedules',
  'site-config',
  'webstore-items',
  'webstore-orders',
  'wipes',
]);

export const isDailyWork = ({ tags }: ContractOperation) => tags.some((tag) => dailyWork.has(tag));

/** Whether somebody can call it who has found an access token. */
export const isByAccessToken = ({ security }: ContractOperation) =>
  security.some((alternative) => 'bearerAuth' in alternative || 'superAdmin' in alternative);
