// The companion token that was shown last, so that the page for adding a host can put it into its command.
let shown: { licenseId: string; token: string } | undefined;

/** Kept in memory only: the platform never shows a token again, and storage would outlive the tab. */
export function keepCompanionToken(licenseId: string, token: string): void {
  shown = { licenseId, token };
}

export const companionTokenOf = (licenseId: string | null): string | undefined =>
  shown?.licenseId === licenseId ? shown?.token : undefined;
