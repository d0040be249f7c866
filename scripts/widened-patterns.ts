// Patterns of requests that a later version widened: programs cannot compare patterns, so the pairs are written here.

const entityTags = String.raw`^(\*|(W/)?"[\x21\x23-\x7e]*"([\t ]*,[\t ]*(W/)?"[\x21\x23-\x7e]*")*)$`;

/** Every text that matches `former` matches `widened`, which test/unit/widened-patterns.test.ts checks with examples. */
export const widenedPatterns: readonly { since: string; former: string; widened: string }[] = [
  { since: '1.5.0', former: String.raw`^(\*|"[0-9]{1,15}")$`, widened: entityTags },
  { since: '1.5.0', former: String.raw`^(\*|"[0-9a-f]{64}")$`, widened: entityTags },
];

/** The earlier contract with the patterns of today, for comparing it with a contract that has them. */
export const withWidenedPatterns = (json: string): string =>
  widenedPatterns.reduce(
    (text, { former, widened }) =>
      text.replaceAll(`"pattern":${JSON.stringify(former)}`, `"pattern":${JSON.stringify(widened)}`),
    json,
  );
