// Startup memory sizes to try, in order, if the host has too little memory.

/** In gigabytes. */
export const rungs = [40, 32, 30, 24, 20, 18, 16, 14, 12] as const;

/** Only the requested size, or else the configured size and all smaller rungs. */
export function memoryToTry(configuredGB: number | null, askedGB: number | undefined): number[] {
  if (askedGB !== undefined) return [askedGB];
  if (configuredGB === null) return [...rungs];
  return [configuredGB, ...rungs.filter((rung) => rung < configuredGB)];
}

/** Sizes above the ladder, for hosts that have them. */
const largerGB = [128, 96, 64, 48] as const;

/** The sizes to choose from, largest first: the ladder, and larger ones that leave the host its own memory. */
export const memoryChoices = (totalGB: number | null): number[] => [
  ...largerGB.filter((size) => totalGB !== null && size + reserveGB <= totalGB),
  ...rungs,
];

/** Memory that Windows itself needs besides the virtual machine, in gigabytes. */
const reserveGB = 2;

/** The largest rung that fits into the free memory. */
export const fittingRung = (freeGB: number | null): number | null =>
  freeGB === null ? null : (rungs.find((rung) => rung + reserveGB <= freeGB) ?? null);
