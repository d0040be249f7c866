// When stats are packed, and which heartbeats are late enough to belong to an hour that may be packed.

/** Hours are packed this long after their end, or after the last late row of theirs was rolled up. */
export const packedAfterMinutes = 60;

/**
 * A heartbeat that was sent longer ago may belong to a packed hour. Half of the above: clocks of the processes may
 * differ, and transactions take time.
 */
const lateAfterMs = (packedAfterMinutes / 2) * 60_000;

/**
 * The subject of the advisory lock that packing holds exclusively. Transactions that store late heartbeats share it, so
 * that no row is packed between the check for it and its storage.
 */
export const packingLock = 'stats packing';

export const isLate = (sentAt: string): boolean => Date.parse(sentAt) < Date.now() - lateAfterMs;

/** The start of the hour that the time is in. */
export function hourOf(time: string): string {
  const hourMs = 3_600_000;
  return new Date(Math.floor(Date.parse(time) / hourMs) * hourMs).toISOString();
}
