// Multipart bodies as all kinds of clients send them: named or not, of any type, in any order.
import { operations } from '../support/contract.ts';
import { rawRequest } from '../support/http.ts';
import { mapFile } from '../support/map-file.ts';
import { World, type Tenant } from '../support/world.ts';

const multipart = 'multipart/form-data';

/** The parts of each such operation: its fields, and a file that it accepts. */
const samples: Record<string, { fields: Record<string, string>; file: () => Buffer; status: number }> = {
  uploadMap: { fields: { name: 'Five islands' }, file: () => mapFile(), status: 201 },
};

const inParts = operations.filter(({ body }) => body?.types.some(({ type }) => type === multipart));

interface Part {
  name: string;
  content: Buffer;
  fileName?: string | undefined;
  type?: string | undefined;
}

const boundary = 'gantry-test-boundary';

const bodyOf = (parts: Part[]) =>
  Buffer.concat([
    ...parts.flatMap(({ name, content, fileName, type }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
          (fileName === undefined ? '' : `; filename="${fileName}"`) +
          (type === undefined ? '' : `\r\nContent-Type: ${type}`) +
          '\r\n\r\n',
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

const fileNames = [undefined, '', 'a.map', 'blob'];
const types = [undefined, 'application/octet-stream', 'text/plain; charset=utf-8', 'application/json'];

const rotations = <T>(list: T[]): T[][] =>
  list.map((_, index) => [...list.slice(index), ...list.slice(0, index)]);

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const send = (path: string, parts: Part[]) => {
  const body = bodyOf(parts);
  return rawRequest(world.url, path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.owner.token}`,
      'content-type': `${multipart}; boundary=${boundary}`,
      'content-length': body.byteLength,
    },
    body,
  });
};

it('every operation with parts has a sample here', () => {
  expect(inParts.map(({ id }) => id).toSorted()).toEqual(Object.keys(samples).toSorted());
});

describe.each(inParts)('$id', ({ id, path }) => {
  const { fields, file, status } = samples[id] ?? { fields: {}, file: () => Buffer.alloc(0), status: 0 };

  const partsWith = (content: Buffer, about: Partial<Part>, ofFields: Partial<Part> = {}): Part[] => [
    ...Object.entries(fields).map(([name, text]) => ({ ...ofFields, name, content: Buffer.from(text) })),
    { ...about, name: 'file', content },
  ];

  it.each(fileNames.flatMap((fileName) => types.map((type) => ({ fileName, type }))))(
    'accepts a file named $fileName of type $type before and after its fields',
    async (about) => {
      for (const parts of rotations(partsWith(file(), about))) {
        const response = await send(path, parts);
        expect([response.status, parts.map(({ name }) => name), response.text]).toEqual([
          status,
          expect.anything(),
          expect.anything(),
        ]);
      }
    },
  );

  it.each(types)('accepts fields of type %s, including those sent like files', async (type) => {
    for (const fileName of [undefined, 'blob']) {
      for (const parts of rotations(partsWith(file(), {}, { type, fileName })))
        expect((await send(path, parts)).status).toBe(status);
    }
  });

  it('rejects a malformed body whichever part comes first, and missing parts', async () => {
    for (const parts of rotations(partsWith(file(), {}))) {
      const whole = bodyOf(parts);
      const body = whole.subarray(0, whole.byteLength - boundary.length - 6);
      const { status: broken, body: problem } = await rawRequest(world.url, path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.owner.token}`,
          'content-type': `${multipart}; boundary=${boundary}`,
          'content-length': body.byteLength,
        },
        body,
      });
      expect([broken, problem]).toMatchObject([400, { code: 'malformed_body' }]);
      for (const missing of parts) {
        const others = parts.filter((part) => part !== missing);
        const response = await send(path, others);
        expect([response.status, response.body]).toMatchObject([
          400,
          { code: 'validation_failed', errors: [{ in: 'body', pointer: `/${missing.name}` }] },
        ]);
      }
    }
  });
});
