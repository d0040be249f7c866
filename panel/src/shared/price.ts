// Prices as people type them.

/** People type "9", "9,5" or "9.50"; the contract wants all decimals of the currency. */
export function priceOf(text: string, decimals: number): string {
  const plain = text.trim().replace(',', '.');
  if (!/^\d+(\.\d*)?$/.test(plain)) return plain;
  const [whole = '', part = ''] = plain.split('.');
  if (part.length > decimals) return plain;
  return decimals === 0 ? whole : `${whole}.${part.padEnd(decimals, '0')}`;
}
