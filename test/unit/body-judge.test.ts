// How callers share the thread that validates large bodies, and how a slow body is ended.
import { BodyJudge, minCountedBytes } from '../../src/contract/body-judge.ts';
import { operationsOf, type Document } from '../../src/contract/document.ts';

const stringBody = (id: string, pattern?: string) => ({
  post: {
    operationId: id,
    tags: ['test'],
    security: [],
    requestBody: { content: { 'application/json': { schema: { type: 'string', pattern } } } },
    responses: { 204: {} },
  },
});

const document = {
  openapi: '3.1.0',
  info: { title: 'A test', version: '1.0.0' },
  paths: { '/any': stringBody('any', '.'), '/slow': stringBody('slow', '^(a+)+$') },
  components: {},
} as unknown as Document;

const limits = { max: 5 * minCountedBytes, maxShare: 3 * minCountedBytes, maxMs: 1_000 };

function check(judge: BodyJudge, id: string, holder: string, text = 'aaa'): Promise<void> {
  const operation = operationsOf(document).find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  const json = JSON.stringify(text);
  const bytes = Buffer.from(new SharedArrayBuffer(json.length));
  bytes.write(json);
  return judge.check(operation, { bytes, maxBytes: 1_000_000, holder });
}

const hours = `${'a'.repeat(60)}!`;

it('ends a body that takes too long, and validates the others in another thread', async () => {
  const judge = new BodyJudge(document, limits);
  const [slow, invalid, valid] = await Promise.allSettled([
    check(judge, 'slow', 'a', hours),
    check(judge, 'any', 'a', ''),
    check(judge, 'any', 'b'),
  ]);
  expect(slow).toMatchObject({ reason: { code: 'unavailable' } });
  expect(invalid).toMatchObject({ reason: { code: 'validation_failed' } });
  expect(valid).toMatchObject({ status: 'fulfilled' });
});

it('allows one holder three bodies, and others theirs', async () => {
  const judge = new BodyJudge(document, limits);
  const own = Array.from({ length: 3 }, () => check(judge, 'any', 'a'));
  await expect(check(judge, 'any', 'a')).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all([...own, check(judge, 'any', 'b')]);
  await check(judge, 'any', 'a');
});

it('alternates between holders', async () => {
  const judge = new BodyJudge(document, limits);
  const order: string[] = [];
  await Promise.all(
    ['a', 'a', 'a', 'b', 'b'].map(async (holder) => {
      await check(judge, 'any', holder);
      order.push(holder);
    }),
  );
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a']);
});
