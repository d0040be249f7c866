// Which startup memory is tried, in what order, when the host has too little.

/** In gigabytes. */
export const rungs = [40, 32, 30, 24, 20, 18, 16, 14, 12] as const;

/** What is asked for alone, or else what is configured and the rungs below it. */
export function memoryToTry(configuredGB: number | null, askedGB: number | undefined): number[] {
  if (askedGB !== undefined) return [askedGB];
  if (configuredGB === null) return [...rungs];
  return [configuredGB, ...rungs.filter((rung) => rung < configuredGB)];
}

/** What Windows itself needs beside the virtual machine. */
const reserveGB = 2;

/** The largest rung that fits into what is free. */
export const fittingRung = (freeGB: number | null): number | null =>
  freeGB === null ? null : (rungs.find((rung) => rung + reserveGB <= freeGB) ?? null);
