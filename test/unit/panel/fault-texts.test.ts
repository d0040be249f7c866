// Faults of the validator, and problems, in the languages of the panel.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import i18next from 'i18next';
import type { Problem } from '@gantry/client';
import { faultText } from '../../../panel/src/api/fault-text.ts';
import { problemWords } from '../../../panel/src/api/problem-words.ts';

const root = resolve(import.meta.dirname, '../../..');
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
        Object.fromEntries(
          ['common', 'problems', 'permissions'].map((area) => [
            area,
            load(`panel/src/texts/${language}/${area}.json`) as object,
          ]),
        ),
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

describe('a problem', () => {
  const problem = (code: Problem['code'], detail: string): Problem => ({
    type: '/problems/x',
    title: 'Its title',
    status: 409,
    detail,
    code,
    instance: '/api/x',
    request_id: 'id',
  });

  it('is in German by its code, and in the words of the platform without one there', async () => {
    await i18next.changeLanguage('de');
    expect(problemWords(problem('agent_offline', 'The agent of this host is not connected.'))).toEqual({
      title: 'Der Agent ist offline',
      detail: 'Starten Sie den Agenten des Hosts oder prüfen Sie seine Verbindung.',
    });
    expect(problemWords(problem('limit_reached', 'At most 20 servers.'))).toEqual({
      title: 'Eine Grenze ist erreicht',
      detail: 'At most 20 servers.',
    });
    const unknown = 'of_a_later_version' as Problem['code'];
    expect(problemWords(problem(unknown, 'Why.'))).toEqual({ title: 'Its title', detail: 'Why.' });
  });

  it('keeps the words of the platform in English', async () => {
    await i18next.changeLanguage('en');
    expect(problemWords(problem('agent_offline', 'Its detail.'))).toEqual({
      title: 'Its title',
      detail: 'Its detail.',
    });
  });

  it.each([
    ['en', 'This needs permissions that your role does not have: Console: Type commands.'],
    ['de', 'Dafür fehlen Ihrer Rolle Rechte: Konsole: Befehle eingeben.'],
  ])('names missing permissions as roles do, in %s', async (language, detail) => {
    await i18next.changeLanguage(language);
    const refused = problem('forbidden', 'This operation requires the permission console.input.');
    expect(problemWords(refused).detail).toBe(detail);
  });
});
