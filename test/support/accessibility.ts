// What axe finds on a page in a browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** `runOnly` of axe. */
interface RuleChoice {
  readonly type: 'tag' | 'rule';
  readonly values: readonly string[];
}

/** WCAG 2.1 up to AA, and what is good practice. */
const allRules: RuleChoice = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
};
/** The rules whose result differs between the schemes; those of a light page show the rest. */
const rulesOfColors: RuleChoice = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

export interface Look {
  readonly isPhone: boolean;
  readonly colorScheme: 'light' | 'dark';
  readonly rules: RuleChoice;
}

/** Both widths in both schemes. Each look differs from the one before in one thing, and the page lays itself out once a look. */
export const looks: readonly Look[] = [
  { isPhone: false, colorScheme: 'light', rules: allRules },
  { isPhone: false, colorScheme: 'dark', rules: rulesOfColors },
  { isPhone: true, colorScheme: 'dark', rules: rulesOfColors },
  { isPhone: true, colorScheme: 'light', rules: allRules },
];

/**
 * The violated rules, of all that axe has unless chosen, each with an element. Only these leave the browser: what passed
 * takes megabytes.
 */
export async function violationsOf(page: Page, rules?: RuleChoice): Promise<string[]> {
  if (await page.evaluate<boolean>('!window.axe')) await page.evaluate(axeSource);
  const options = { runOnly: rules, resultTypes: ['violations'] };
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}
