// Each decision record has a number of its own, in its file's name and its heading.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../docs/decisions');
const files = readdirSync(folder);

it('no two records have the same number', () => {
  const numbers = files.map((file) => file.slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

it.each(files)('%s begins with its number', (file) => {
  const [heading = ''] = readFileSync(resolve(folder, file), 'utf8').split('\n');
  expect(heading).toMatch(new RegExp(`^# ${file.slice(0, 4)} · `));
});
