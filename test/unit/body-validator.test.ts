// How callers share the thread that validates large bodies, and how a slow body is ended.
import { BodyValidator, minCountedBytes } from '../../src/contract/body-validator.ts';
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

function check(bodyValidator: BodyValidator, id: string, holder: string, text = 'aaa'): Promise<void> {
  const operation = operationsOf(document).find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  const json = JSON.stringify(text);
  const bytes = Buffer.from(new SharedArrayBuffer(json.length));
  bytes.write(json);
  return bodyValidator.check(operation, { bytes, maxBytes: 1_000_000, holder });
}

const hours = `${'a'.repeat(60)}!`;

it('ends a body that takes too long, and validates the others in another thread', async () => {
  const bodyValidator = new BodyValidator(document, limits);
  const [slow, invalid, valid] = await Promise.allSettled([
    check(bodyValidator, 'slow', 'a', hours),
    check(bodyValidator, 'any', 'a', ''),
    check(bodyValidator, 'any', 'b'),
  ]);
  expect(slow).toMatchObject({ reason: { code: 'unavailable' } });
  expect(invalid).toMatchObject({ reason: { code: 'validation_failed' } });
  expect(valid).toMatchObject({ status: 'fulfilled' });
});

it('allows one holder three bodies, and others theirs', async () => {
  const bodyValidator = new BodyValidator(document, limits);
  const own = Array.from({ length: 3 }, () => check(bodyValidator, 'any', 'a'));
  await expect(check(bodyValidator, 'any', 'a')).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all([...own, check(bodyValidator, 'any', 'b')]);
  await check(bodyValidator, 'any', 'a');
});

it('alternates between holders', async () => {
  const bodyValidator = new BodyValidator(document, limits);
  const order: string[] = [];
  await Promise.all(
    ['a', 'a', 'a', 'b', 'b'].map(async (holder) => {
      await check(bodyValidator, 'any', holder);
      order.push(holder);
    }),
  );
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a']);
});
