// How much of a limited stock unpaid orders may hold, so that nobody keeps it from everybody else without paying.

export interface Stock {
  limit_total: number;
  limit_per_player: number | null;
}

/** Units of an item that orders have taken. */
export interface TakenUnits {
  sold: number;
  held: number;
  /** Held for the same player. */
  heldByBuyer: number;
  /** Held for the same player or from the same network. */
  heldBySource: number;
}

/** Of the units that are not sold, rounded up. */
const shares = { buyer: 1 / 4, source: 1 / 2 };

/** A limit for each player is the owner's word for how many one player may take at once: no share is less. */
export function maxHolds({ limit_total, limit_per_player }: Stock, sold: number) {
  const unsold = Math.max(limit_total - sold, 0);
  const shareOf = (share: number) =>
    Math.min(unsold, Math.max(Math.ceil(unsold * share), limit_per_player ?? 0));
  return { buyer: shareOf(shares.buyer), source: shareOf(shares.source) };
}
