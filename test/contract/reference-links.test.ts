// Every page of the reference is read, and every link on it followed.
import { operations } from '../support/contract.ts';
import { rawBytes } from '../support/http.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

/** Every address on this server that a page or text names, without its fragment. */
const linksIn = (text: string) => [
  ...new Set(
    [...text.matchAll(/(?:href|src)="(\/[^"#]*)|\]\((?:http:\/\/[\d.:]+)?(\/[^)#\s]*)/g)].map(
      ([, inPage, inText]) => inPage ?? inText ?? '',
    ),
  ),
];

it('pages of the reference lead to every operation, and no link of any page is dead', async () => {
  const seen = new Set<string>();
  const waiting = ['/api/docs', '/llms.txt', '/problems'];
  const dead: string[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status, bytes, headers } = await rawBytes(world.url, path, { accept: 'text/html, */*' });
    if (status !== 200) dead.push(`${path} ${status}`);
    if (/text\/(?:html|markdown|plain)/.test(String(headers['content-type'])))
      waiting.push(...linksIn(bytes.toString()));
  }
  expect(dead).toEqual([]);
  const missing = operations.flatMap(({ id }) =>
    [`/api/docs/operations/${id}`, `/api/docs/operations/${id}.md`, `/api/docs/try/${id}`].filter(
      (path) => !seen.has(path),
    ),
  );
  expect(missing).toEqual([]);
});
