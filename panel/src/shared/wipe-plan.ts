// The choices of a wipe as a form has them, and as the contract takes them.
import type { Schemas } from '../api/operations.ts';
import { sendable, type NumberValue } from './number-text.ts';

export interface WipePlan {
  kind: Schemas['WipeKind'];
  /** Where the new map comes from. */
  map: 'keep' | 'generated' | 'uploaded';
  /** Schedules can choose another seed for each run. */
  isRandom: boolean;
  /** Empty keeps the seed. */
  seed: NumberValue;
  /** Empty keeps the size. */
  worldSize: NumberValue;
  mapId: string;
  countdownSeconds: NumberValue;
  message: string;
  backup: boolean;
  start: boolean;
}

export const maxSeed = 2_147_483_647;

export const randomSeed = (): number => 1 + Math.floor(Math.random() * maxSeed);

export const firstPlan = (): WipePlan => ({
  kind: 'map',
  map: 'generated',
  isRandom: true,
  seed: randomSeed(),
  worldSize: '',
  mapId: '',
  countdownSeconds: 900,
  message: '',
  backup: true,
  start: false,
});

type Stored = Schemas['ScheduledWipe'];

export const planOf = (wipe: Stored): WipePlan => ({
  kind: wipe.kind,
  map:
    wipe.map_id !== undefined
      ? 'uploaded'
      : wipe.random_seed === true || wipe.seed !== undefined || wipe.world_size !== undefined
        ? 'generated'
        : 'keep',
  isRandom: wipe.random_seed === true,
  seed: wipe.seed ?? '',
  worldSize: wipe.world_size ?? '',
  mapId: wipe.map_id ?? '',
  countdownSeconds: wipe.countdown_seconds ?? 0,
  message: wipe.message ?? '',
  backup: wipe.backup ?? false,
  start: wipe.start ?? false,
});

/** Whether it is announced in the game. */
export const hasCountdown = ({ countdownSeconds }: Pick<WipePlan, 'countdownSeconds'>): boolean =>
  typeof countdownSeconds === 'number' && countdownSeconds > 0;

const shared = ({ kind, countdownSeconds, message, backup, start }: WipePlan) => ({
  kind,
  countdown_seconds: sendable(countdownSeconds),
  ...(message.trim() !== '' && hasCountdown({ countdownSeconds }) && { message: message.trim() }),
  backup,
  start,
});

/** Blueprints are wiped without another map. */
const newMap = ({ kind, map, seed, worldSize, mapId }: WipePlan) => {
  if (kind === 'blueprints' || map === 'keep') return {};
  if (map === 'uploaded') return { map_id: mapId };
  return {
    ...(seed !== '' && { seed: sendable(seed) }),
    ...(worldSize !== '' && { world_size: sendable(worldSize) }),
  };
};

export const wipeRequestOf = (plan: WipePlan): Schemas['WipeRequest'] => ({
  ...shared(plan),
  ...newMap(plan),
});

export function scheduledWipeOf(plan: WipePlan): Schemas['ScheduledWipe'] {
  const isRandom = plan.isRandom && plan.map === 'generated' && plan.kind !== 'blueprints';
  return {
    ...shared(plan),
    ...newMap(isRandom ? { ...plan, seed: '' } : plan),
    ...(isRandom && { random_seed: true }),
  };
}

/** Whether a form lacks its map. */
export const lacksMap = ({ kind, map, mapId }: WipePlan): boolean =>
  kind !== 'blueprints' && map === 'uploaded' && mapId === '';
