// Which problem each kind of credential gets from each operation: exactly those that the operation declares.
import { licenseRevoked, type LicenseAccess } from '../../src/context.ts';
import { operationsOf, type Operation } from '../../src/contract/document.ts';
import { problemCodesOf } from '../../src/contract/operation-problems.ts';
import { Security } from '../../src/contract/security.ts';
import { DomainError, unauthorized } from '../../src/errors.ts';
import { createSecurity, type SchemeServices } from '../../src/handlers/security-schemes.ts';
import { platformDocument } from '../../src/platform-contract/document-file.ts';
import { problems } from '../../src/platform-contract/problems.ts';

const document = platformDocument();
const guarded = operationsOf(document).filter(({ security }) => security.length > 0);

/** The codes with which credentials are refused. */
const refusals = [
  'unauthorized',
  'forbidden',
  'user_required',
  'address_not_allowed',
  'license_required',
  'license_revoked',
  'step_up_required',
];

type Kind = 'access token' | 'API key' | 'companion token' | 'reseller key' | 'license key';

/** What the lookup of each credential finds. */
type Found = Record<string, unknown> | DomainError;

const license: LicenseAccess = {
  id: 'a license',
  role: 'Owner',
  permissions: { '*': true },
  isRevoked: false,
};
const without: LicenseAccess = { ...license, role: 'Helper', permissions: {} };
const user = { kind: 'user', license, isSuperAdmin: false, isConfirmed: true };
const key = { kind: 'api_key', license };

const credentials: Readonly<Record<Kind, Readonly<Record<string, Found>>>> = {
  'access token': {
    owner: user,
    admin: { ...user, isSuperAdmin: true },
    unconfirmed: { ...user, isSuperAdmin: true, isConfirmed: false },
    'without permissions': { ...user, license: without },
    'without license': { ...user, license: null },
    'of a revoked license': { ...user, license: { ...without, isRevoked: true } },
    expired: unauthorized(),
  },
  'API key': {
    'with permissions': key,
    'without permissions': { ...key, license: without },
    'of a revoked license': { ...key, license: { ...without, isRevoked: true } },
    'from elsewhere': new DomainError('address_not_allowed', ''),
    revoked: unauthorized(),
  },
  'companion token': {
    valid: { kind: 'companion', license: without },
    'of a revoked license': licenseRevoked(),
    replaced: unauthorized(),
  },
  'reseller key': { valid: { kind: 'reseller', license: null }, replaced: unauthorized() },
  'license key': {
    valid: { kind: 'plugin', license: without },
    'of a revoked license': licenseRevoked(),
    replaced: unauthorized(),
  },
};

/** A lookup that knows the credentials of one kind. Their text is the kind and the name. */
function lookUp(kind: Kind) {
  return (text: string): Promise<never> => {
    if (text === textOf(kind, unreachable)) return Promise.reject(new DomainError('unavailable', ''));
    const [found] = Object.entries(credentials[kind]).filter(([name]) => textOf(kind, name) === text);
    const result = found?.[1] ?? unauthorized();
    return result instanceof DomainError ? Promise.reject(result) : Promise.resolve(result as never);
  };
}

/** The name of credentials for whose lookup the database cannot be reached. */
const unreachable = 'unreachable';

const textOf = (kind: Kind, name: string) => `${kind}:${name}`.replaceAll(' ', '-');

const security = new Security(
  document,
  createSecurity({
    tokens: { verify: (text: string) => Promise.resolve({ text, exp: 0 }) },
    principals: { find: ({ text }: { text: string }) => lookUp('access token')(text) },
    stepUps: {
      require: ({ kind, isConfirmed }: { kind: string; isConfirmed: boolean }) =>
        kind === 'user' && !isConfirmed
          ? Promise.reject(new DomainError('step_up_required', ''))
          : Promise.resolve(),
    },
    apiKeys: { find: lookUp('API key') },
    agents: { companionOf: lookUp('companion token') },
    licenseKeys: { find: lookUp('license key') },
    resellerKeys: { find: lookUp('reseller key') },
  } as unknown as SchemeServices),
);

const headersOf = (kind: Kind, text: string): Record<string, string> =>
  kind === 'license key' ? { 'x-license-key': text } : { authorization: `Bearer ${text}` };

/** The refusal of each credential by the operation; undefined if it is accepted. */
async function refusalsBy(operation: Operation) {
  const all = Object.entries(credentials).flatMap(([kind, byName]) =>
    Object.keys(byName).map((name) => ({ kind: kind as Kind, name })),
  );
  const tries = all.map(async ({ kind, name }) => ({
    kind,
    isValid: !(
      credentials[kind][name] instanceof DomainError && credentials[kind][name].code === 'unauthorized'
    ),
    refusal: await refusalOf(operation, headersOf(kind, textOf(kind, name))),
  }));
  return Promise.all(tries);
}

async function refusalOf(operation: Operation, headers: Record<string, string>) {
  try {
    await security.confirm(await security.authorize({ headers, source: '192.0.2.1' }, operation), operation);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error as DomainError;
    throw error;
  }
}

const kindsOfSchemes: Readonly<Record<string, Kind>> = {
  bearerAuth: 'access token',
  superAdmin: 'access token',
  apiKey: 'API key',
  companionToken: 'companion token',
  hostKey: 'reseller key',
  licenseKey: 'license key',
};

const kindsTakenBy = ({ security: alternatives }: Operation) =>
  new Set(alternatives.flatMap(Object.keys).map((scheme) => kindsOfSchemes[scheme]));

const declared = new Map(
  Object.values(document.paths)
    .flatMap(
      (item) => Object.values(item) as (Parameters<typeof problemCodesOf>[0] & { operationId: string })[],
    )
    .filter(({ operationId }) => operationId !== undefined)
    .map((operation) => [operation.operationId, problemCodesOf(operation, problems.kinds)]),
);

it('every operation declares exactly the problems that credentials get from it', async () => {
  const differences: Record<string, unknown> = {};
  for (const operation of guarded) {
    const got = new Set((await refusalsBy(operation)).map(({ refusal }) => refusal?.code as string));
    const listed = declared.get(operation.id) ?? [];
    // A service may refuse some callers itself.
    const difference = refusals.filter(
      (code) => got.has(code) !== listed.includes(code) && !operation.problemCodes.includes(code),
    );
    if (difference.length > 0) differences[operation.id] = difference;
  }
  expect(differences).toEqual({});
});

it('a credential that cannot be looked up gets 503 from every operation, whichever kind that takes', async () => {
  const wrong: unknown[] = [];
  for (const operation of guarded)
    for (const kind of Object.keys(credentials) as Kind[]) {
      const refusal = await refusalOf(operation, headersOf(kind, textOf(kind, unreachable)));
      if (refusal?.code !== 'unavailable') wrong.push([operation.id, kind, refusal?.code]);
    }
  expect(wrong).toEqual([]);
});

it('a valid credential of another kind gets 403 and the kind that the operation takes', async () => {
  const wrong: unknown[] = [];
  for (const operation of guarded) {
    const taken = kindsTakenBy(operation);
    const code = [...taken].every((kind) => kind === 'access token') ? 'user_required' : 'forbidden';
    for (const { kind, isValid, refusal } of await refusalsBy(operation)) {
      if (taken.has(kind)) continue;
      const expected = isValid ? code : 'unauthorized';
      const isExplained =
        !isValid || /^This operation takes .+, and you sent .+\.$/.test(refusal?.message ?? '');
      if (refusal?.code !== expected || !isExplained)
        wrong.push([operation.id, kind, expected, refusal?.message]);
    }
  }
  expect(wrong).toEqual([]);
});

describe('two credentials in one request', () => {
  const operation = guarded.find(({ id }) => id === 'listInstances');
  const callerOf = async (headers: Record<string, string>) => {
    if (operation === undefined) throw new Error('The operation does not exist.');
    const caller = await security.authorize({ headers, source: '192.0.2.1' }, operation);
    return (caller as { kind: string }).kind;
  };
  const [token, plainToken] = ['owner', 'without permissions'].map(
    (name) => `Bearer ${textOf('access token', name)}`,
  ) as [string, string];
  const key = textOf('API key', 'with permissions');

  it.each([
    ['a token that permits the operation counts', token, key, 'user'],
    ['a key counts where the token does not permit the operation', plainToken, key, 'api_key'],
    [
      'a key counts where the token is expired',
      `Bearer ${textOf('access token', 'expired')}`,
      key,
      'api_key',
    ],
    ['a token counts where the key is revoked', token, textOf('API key', 'revoked'), 'user'],
    ['of two keys, that of X-Api-Key counts', `Bearer ${textOf('API key', 'revoked')}`, key, 'api_key'],
  ])('%s', async (_rule, authorization, apiKey, kind) => {
    expect(await callerOf({ authorization, 'x-api-key': apiKey })).toBe(kind);
  });

  it('a revoked key in X-Api-Key is refused beside a valid one as bearer', async () => {
    await expect(
      callerOf({ authorization: `Bearer ${key}`, 'x-api-key': textOf('API key', 'revoked') }),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

it('no credential gets 401', async () => {
  for (const operation of guarded)
    expect([operation.id, await refusalOf(operation, {})]).toMatchObject([
      operation.id,
      { code: 'unauthorized' },
    ]);
});
