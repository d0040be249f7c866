// Faults of the validator in the languages of the panel.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import i18next from 'i18next';
import { faultText } from '../../panel/src/api/fault-text.ts';

const root = resolve(import.meta.dirname, '../..');
const load = (file: string): unknown => JSON.parse(readFileSync(resolve(root, file), 'utf8'));
const languages = ['en', 'de'];
const contract = load('generated/platform.openapi.json') as {
  components: { schemas: { ProblemError: { properties: { keyword: { enum: string[] } } } } };
};
const keywords = contract.components.schemas.ProblemError.properties.keyword.enum;

beforeAll(async () => {
  await i18next.init({
    lng: 'en',
    ns: ['common'],
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    resources: Object.fromEntries(
      languages.map((language) => [
        language,
        { common: load(`panel/src/texts/${language}/common.json`) as object },
      ]),
    ),
  });
});

const fault = { in: 'body', pointer: '/name', detail: 'must be otherwise' } as const;

describe.each(languages)('in %s', (language) => {
  beforeAll(() => i18next.changeLanguage(language));

  it.each(keywords)('%s has a text', (keyword) => {
    const text = faultText({ ...fault, keyword, limit: '3' });
    expect(text).toMatch(/^[^{}]+[.]$/);
    expect(text).not.toBe(fault.detail);
    expect(text).not.toContain('faults.');
  });

  it('faults without a keyword, and keywords of later versions, have the words of the platform', () => {
    expect(faultText(fault)).toBe(fault.detail);
    expect(faultText({ ...fault, keyword: 'unevaluatedProperties' })).toBe(fault.detail);
  });
});

it('says in German what is required', async () => {
  await i18next.changeLanguage('de');
  const textOf = (keyword: string, limit?: string) =>
    faultText({ ...fault, keyword, ...(limit !== undefined && { limit }) });
  expect([
    textOf('minLength', '12'),
    textOf('minLength', '1'),
    textOf('maximum', '1.5'),
    textOf('format', 'email'),
    textOf('format', 'new'),
    textOf('type', 'integer,null'),
  ]).toEqual([
    'Mindestens 12 Zeichen.',
    'Geben Sie etwas ein.',
    'Höchstens 1,5.',
    'Geben Sie eine E-Mail-Adresse ein, etwa ada@example.com.',
    'Hat nicht die nötige Form.',
    'Geben Sie eine ganze Zahl ein.',
  ]);
});
