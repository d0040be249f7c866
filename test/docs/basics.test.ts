// Runs the guides about what all operations have in common, twice and unchanged.
import { problems } from '../../src/platform-contract/problems.ts';
import { runGuide, runGuideTwice } from '../support/guide.ts';
import { password, World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'], sandboxes: { maxCount: 0 } });
});

afterAll(async () => {
  await world.close();
});

it.each([
  ['quickstart', '0\ncreated once\nforbidden\n403\n'],
  [
    'authentication',
    /^.+@example\.com\ninvalid_refresh_token\nstep_up_required\nnull\nforbidden\nunauthorized\n$/,
  ],
  ['idempotency', 'the same response\nidempotency_key_reused\n204\n404\n'],
  ['pagination', '3 of 3\n1\nvalidation_failed\n'],
  [
    'errors',
    `400\nvalidation_failed\n/name\nThe request does not match the contract\n${problems.kinds['validation_failed']?.remedy}\n2\n`,
  ],
])(
  'docs/%s.md',
  async (name, output) => {
    const { owner } = await world.createTenant();
    const runs = await runGuideTwice(`docs/${name}.md`, {
      GANTRY: world.url,
      EMAIL: owner.email,
      PASSWORD: password,
    });
    const expected = {
      status: 0,
      output: typeof output === 'string' ? output : expect.stringMatching(output),
      processes: [],
    };
    expect(runs).toEqual([expected, expected]);
  },
  120_000,
);

it.each([
  ['README.md', 'Five minutes for developers'],
  ['docs/sandbox.md', undefined],
])('%s shows why there is no sandbox, and stops', async (file, section) => {
  const { status, output } = await runGuide(file, { GANTRY: world.url }, [], section);
  expect(status).not.toBe(0);
  expect(output).toMatch(/sandboxes/);
  expect(output).not.toMatch(/undefined|^ +at |401/m);
});
