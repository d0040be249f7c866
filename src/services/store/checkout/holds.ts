// How much limited stock unpaid orders may hold, so that no buyer blocks it without paying.

export interface Stock {
  limit_total: number;
  limit_per_player: number | null;
}

/** Units of an item that orders have sold or hold. */
export interface TakenUnits {
  sold: number;
  held: number;
  /** Held for the same player. */
  heldByBuyer: number;
  /** Held for the same player or from the same network. */
  heldBySource: number;
}

/** Fractions of the unsold units, rounded up. */
const shares = { buyer: 1 / 4, source: 1 / 2 };

/** The per-player limit is the owner's decision on how many one player may take at once: no share is smaller. */
export function maxHolds({ limit_total, limit_per_player }: Stock, sold: number) {
  const unsold = Math.max(limit_total - sold, 0);
  const shareOf = (share: number) =>
    Math.min(unsold, Math.max(Math.ceil(unsold * share), limit_per_player ?? 0));
  return { buyer: shareOf(shares.buyer), source: shareOf(shares.source) };
}
