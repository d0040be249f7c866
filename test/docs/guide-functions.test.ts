// The functions with which guides read replies: the same in each guide, and none hides a refusal.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../support/contract.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** Whole definitions of the functions, by name, in the order of the text. */
const definitionsIn = (text: string) =>
  [...text.matchAll(/^(field|problem)\(\) \{[\s\S]*?; \}$/gm)].map(([definition, name = '']) => ({
    name,
    definition,
  }));

const guides = ['README.md', ...readdirSync(resolve(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: read(file) }));

const [field = '', problem = ''] = ['field', 'problem'].map(
  (name) => definitionsIn(read('docs/errors.md')).find((each) => each.name === name)?.definition,
);

const refusal = {
  type: '/problems/unauthorized',
  title: 'Not signed in',
  status: 401,
  detail: 'Sign in first.',
  instance: '/api/sandbox',
  code: 'unauthorized',
  request_id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09',
};

function run(command: string, reply: object | string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${field}\n${problem}\n${command}`], {
    input: typeof reply === 'string' ? reply : JSON.stringify(reply),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('guides define the functions as docs/errors.md does', () => {
  const definitions = guides.flatMap(({ file, text }) =>
    definitionsIn(text).map(({ definition }) => ({ file, definition })),
  );
  expect(definitions.length).toBeGreaterThan(25);
  expect(definitions.filter(({ definition }) => ![field, problem].includes(definition))).toEqual([]);
});

it('guides define each function that they use', () => {
  const missing = guides.flatMap(({ file, text }) =>
    ['field', 'problem']
      .filter((name) =>
        new RegExp(`^${name} \\S+ <|\\| ${name} |\\|\n +${name} |\\$\\(${name} `, 'm').test(text),
      )
      .filter((name) => !definitionsIn(text).some((each) => each.name === name))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

describe('field', () => {
  it.each([
    ['a field', 'id', { id: 7 }, '7\n'],
    ['null', 'next_cursor', { next_cursor: null }, 'null\n'],
    ['no text', "name ?? ''", {}, '\n'],
    [
      'the outcome of a command',
      'detail',
      { id: 7, status: 'failed', detail: 'It crashed.' },
      'It crashed.\n',
    ],
    ['the code of an enrolment', 'code', { code: 'ABCD', expires_at: 'tomorrow' }, 'ABCD\n'],
  ])('prints %s', (_what, path, reply, stdout) => {
    expect(run(`field ${JSON.stringify(path)}`, reply)).toEqual({ status: 0, stdout, stderr: '' });
  });

  it.each([
    ['a refusal', 'id', refusal, 'Sign in first.\n'],
    ['a refusal that has the field', 'status', refusal, 'Sign in first.\n'],
    ['a refusal that lacks the list', 'data.find(({ id }) => id === 1)', refusal, 'Sign in first.\n'],
    ['a reply without the field', 'id', { name: 'x' }, 'No such field\n'],
    ['no reply', 'id', '', 'No response\n'],
  ])('shows %s and stops', (_what, path, reply, stderr) => {
    const stopped = run(`set -e; ID=$(field ${JSON.stringify(path)}); echo "went on with $ID"`, reply);
    expect(stopped).toEqual({ status: 1, stdout: '', stderr });
  });
});

describe('problem', () => {
  it('prints a field of a refusal', () => {
    expect(run('problem code', refusal)).toEqual({ status: 0, stdout: 'unauthorized\n', stderr: '' });
  });

  it('stops at a reply that is no refusal', () => {
    const { status, stdout, stderr } = run('problem code', { id: 7 });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: 'Not a problem\n' });
  });
});
