// Templates of the agent's file: what is wrong with one ends the start in words, before anything is asked of the platform.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../agent/src/config.ts';
import { SettingError } from '../../agent/src/errors.ts';
import { templateExample } from '../../panel/src/hosts/template-example.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-templates-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function faultOf(settings: object): string {
  const file = join(directory, 'gantry-agent.yaml');
  writeFileSync(file, JSON.stringify(settings));
  try {
    readConfig(['--config', file], {
      GANTRY_COMPANION_TOKEN: 'gtc_test',
      GANTRY_AGENT_STATE: join(directory, 'state'),
    });
    return '';
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
}

const withTemplate = (template: object, more: object = {}) => ({
  managed_instances: {
    base_directory: 'managed',
    templates: { game: { command: '/bin/true', ...template } },
    ...more,
  },
});
const withParameter = (parameter: object) => withTemplate({ args: ['{{x}}'], parameters: { x: parameter } });

it('takes placeholders in arguments, the environment and the RCON port', () => {
  const settings = withTemplate({
    args: ['{{name}}', '{{directory}}/x', '{{port}}'],
    env: { PORT: '{{port}}' },
    webrcon: { port: '{{port}}', password_file: 'rcon-password' },
    parameters: { port: { type: 'port', minimum: 1, maximum: 9 } },
  });
  expect(faultOf(settings)).toBe('');
});

it.each([
  [
    'a placeholder of no parameter',
    withTemplate({ args: ['{{other}}'] }),
    '{{other}} is not the name of a parameter',
  ],
  [
    'a parameter that stands nowhere',
    withTemplate({ parameters: { x: { type: 'text' } } }),
    '{{x}} stands nowhere',
  ],
  [
    'a parameter that the agent gives itself',
    withTemplate({ parameters: { directory: { type: 'text' } } }),
    'the agent gives {{directory}} itself',
  ],
  ['a range without an end', withParameter({ type: 'integer', minimum: 1 }), 'needs a minimum and a maximum'],
  [
    'a range upside down',
    withParameter({ type: 'integer', minimum: 2, maximum: 1 }),
    'needs a minimum and a maximum',
  ],
  [
    'a port that is none',
    withParameter({ type: 'port', minimum: 0, maximum: 1 }),
    'ports are from 1 to 65535',
  ],
  [
    'a port with a default',
    withParameter({ type: 'port', minimum: 1, maximum: 2, default: 1 }),
    'a port has no default',
  ],
  ['a choice without choices', withParameter({ type: 'choice' }), 'choices belong to the type choice'],
  [
    'a length of a number',
    withParameter({ type: 'integer', minimum: 1, maximum: 2, max_length: 3 }),
    'only a text has a max_length',
  ],
  ['limits of a text', withParameter({ type: 'text', minimum: 1 }), 'only numbers have limits'],
  [
    'a default beyond its limits',
    withParameter({ type: 'integer', minimum: 1, maximum: 2, default: 3 }),
    'from 1 to 2',
  ],
  [
    'a default that would be an option',
    withParameter({ type: 'text', default: '-rm' }),
    'begins with none of',
  ],
  [
    'an RCON port that is no port',
    withTemplate({ webrcon: { port: '{{x}}', password_file: 'p' }, parameters: { x: { type: 'text' } } }),
    'must be a parameter of the type port',
  ],
  ['a directory of its own', withTemplate({ cwd: '/srv' }), 'unknown key "cwd"'],
  ['a name of its own', withTemplate({ name: 'main' }), 'unknown key "name"'],
  [
    'no command',
    { managed_instances: { base_directory: 'x', templates: { game: {} } } },
    '"command" is missing',
  ],
  [
    'a base directory in the state directory',
    withTemplate({}, { base_directory: 'state/games' }),
    'of state_dir',
  ],
  [
    'a base directory above the files of an instance',
    { ...withTemplate({}), instances: [{ name: 'main', command: 'x', cwd: 'managed/main' }] },
    'of the instance "main"',
  ],
  [
    'more than a message can carry',
    withTemplate({
      args: ['{{x}}{{y}}{{z}}'],
      parameters: Object.fromEntries(
        ['x', 'y', 'z'].map((name) => [
          name,
          { type: 'choice', choices: Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(190)}`) },
        ]),
      ),
    }),
    'more than 24576',
  ],
])('refuses %s', (_what, settings, words) => {
  expect(faultOf(settings)).toContain(words);
});

it('is in words that the example of the panel follows', () => {
  expect(faultOf(parse(templateExample) as object)).toBe('');
});
