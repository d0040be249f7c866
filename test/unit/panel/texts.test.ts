// The catalogue of the panel's texts is complete in every language.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { queues } from '../../../src/services/admin-health/queue-ages.ts';
import { resourceOfTarget } from '../../../src/services/audit.ts';
import { problems } from '../../../src/platform-contract/problems.ts';
import { root } from '../../support/contract.ts';
import { inPanelWords } from '../../support/panel-words.ts';

const directory = resolve(root, 'panel/src/texts');
const filesOf = (language: string) => globSync(`${language}/*.json`, { cwd: directory }).sort();

/** The texts of a file by the path of their key. */
function textsOf(file: string): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (node: unknown, path: string) => {
    if (typeof node === 'string') texts.set(path, node);
    else
      for (const [key, child] of Object.entries(node as object))
        collect(child, path === '' ? key : `${path}.${key}`);
  };
  collect(JSON.parse(readFileSync(resolve(directory, file), 'utf8')), '');
  return texts;
}

const placeholdersOf = (text: string) => (text.match(/\{\{[^}]+\}\}/g) ?? []).sort();

const areas = filesOf('en').map((file) => file.replace('en/', ''));

describe('the texts of the panel', () => {
  it('have the same areas in each language', () => {
    expect(filesOf('de').map((file) => file.replace('de/', ''))).toEqual(areas);
  });

  it.each(areas)('of %s have each key once', (area) => {
    for (const file of [`en/${area}`, `de/${area}`]) {
      const text = readFileSync(resolve(directory, file), 'utf8');
      expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toBe(text);
    }
  });

  it.each(areas)('of %s have the same keys and placeholders in each language', (area) => {
    const english = textsOf(`en/${area}`);
    const german = textsOf(`de/${area}`);
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of english)
      expect([key, placeholdersOf(german.get(key) ?? '')]).toEqual([key, placeholdersOf(text)]);
    expect([...english, ...german].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('are all shown somewhere', () => {
    const sources = globSync('{panel,ui}/src/**/*.{ts,tsx}', { cwd: root });
    const code = sources.map((source) => readFileSync(resolve(root, source), 'utf8')).join('\n');
    const literals = new Set(Array.from(code.matchAll(/['"]([\w:.-]+)['"]/g), ([, literal]) => literal));
    // The second ones stand inside other templates.
    const templates = [
      ...code.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g),
      ...code.matchAll(/`([\w:. -]+\$\{\w+\})`/g),
    ];
    const patterns = templates
      .map(([, template = '']) => template)
      .map((template) => template.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '*'))
      .filter((template) => /^[\w:.* -]+$/.test(template) && /[a-z]/i.test(template))
      .map((template) => new RegExp(`^${template.replaceAll('.', '\\.').replaceAll('*', '.+')}$`));
    const isShown = (key: string) => literals.has(key) || patterns.some((pattern) => pattern.test(key));
    const dead = areas.flatMap((area) =>
      [...textsOf(`en/${area}`).keys()]
        .map((key) => key.replace(/_(zero|one|other)$/, ''))
        .filter((key) => !isShown(key) && !isShown(`${area.replace('.json', '')}:${key}`))
        .map((key) => `${area}: ${key}`),
    );
    expect(dead).toEqual([]);
  });

  it('explain every permission as the contract does', () => {
    const contract = JSON.parse(readFileSync(resolve(root, 'generated/platform.openapi.json'), 'utf8')) as {
      components: { schemas: { Permission: { enum: string[]; 'x-enum-descriptions': string[] } } };
    };
    const { enum: names, 'x-enum-descriptions': descriptions } = contract.components.schemas.Permission;
    const explained = [...textsOf('en/permissions.json')]
      .filter(([key]) => key.startsWith('what.'))
      .map(([key, text]) => [key.slice('what.'.length), text]);
    expect(Object.fromEntries(explained)).toEqual(
      Object.fromEntries(names.map((name, index) => [name, inPanelWords(descriptions[index] ?? '')])),
    );
  });

  it('name every queue of the platform', () => {
    const names = [...textsOf('en/admin.json').keys()].filter((key) =>
      key.startsWith('overview.queueNames.'),
    );
    expect(names.map((key) => key.slice('overview.queueNames.'.length)).sort()).toEqual(
      Object.keys(queues).sort(),
    );
  });

  it('name every kind of object in the audit log', () => {
    const names = [...textsOf('en/audit.json').keys()].filter((key) => key.startsWith('types.'));
    expect(names.map((key) => key.slice('types.'.length)).sort()).toEqual(
      [...new Set(Object.values(resourceOfTarget))].sort(),
    );
  });

  it('name every problem as the contract does', () => {
    const named = [...textsOf('en/problems.json')]
      .filter(([key]) => key.startsWith('titles.'))
      .map(([key, text]) => [key.slice('titles.'.length), text]);
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(
        Object.entries(problems.kinds).map(([code, { title }]) => [code, inPanelWords(title)]),
      ),
    );
  });

  it('call a game instance a server', () => {
    const other = { en: /\binstances?\b/i, de: /\binstanz(en)?\b/i };
    for (const [language, word] of Object.entries(other))
      for (const file of filesOf(language))
        for (const [key, text] of textsOf(file))
          expect([file, key, word.exec(text.replaceAll(/\{\{[^}]+\}\}/g, ''))?.[0]]).toEqual([
            file,
            key,
            undefined,
          ]);
  });
});
