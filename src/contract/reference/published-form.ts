// The published form of a contract document: absolute addresses, and no extensions that only this server reads.

/** Extensions that client generators and readers of contracts know. */
const publicExtensions = new Set([
  'x-codeSamples',
  'x-deprecated-on',
  'x-enum-descriptions',
  'x-extensible-enum',
  'x-sunset',
  'x-tagGroups',
]);

/** Keys whose content is literal values, or names that the contract chose; it stays unchanged. */
const literals = new Set(['example', 'default', 'enum', 'const', 'value']);

interface Addresses {
  servers?: unknown;
  info?: { contact?: Address; externalDocs?: Address };
  externalDocs?: Address;
}

interface Address {
  url: string;
}

export function publishedForm(document: unknown, baseUrl: string): unknown {
  const published = withoutExtensions(document, false) as Addresses;
  if (Array.isArray(published.servers))
    published.servers = (published.servers as Address[]).map((server) => absolute(server, baseUrl));
  const { info, externalDocs } = published;
  if (info?.contact !== undefined) info.contact = absolute(info.contact, baseUrl);
  if (info?.externalDocs !== undefined) info.externalDocs = absolute(info.externalDocs, baseUrl);
  if (externalDocs !== undefined) published.externalDocs = absolute(externalDocs, baseUrl);
  return published;
}

const absolute = <Given extends Address>(given: Given, baseUrl: string): Given => ({
  ...given,
  ...(given.url?.startsWith('/') && { url: given.url === '/' ? baseUrl || '/' : `${baseUrl}${given.url}` }),
});

function withoutExtensions(node: unknown, isMapOfNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutExtensions(item, false));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
      if (isMapOfNames) return [[key, withoutExtensions(value, false)]];
      if (key.startsWith('x-') && !publicExtensions.has(key)) return [];
      return [[key, literals.has(key) ? value : withoutExtensions(value, key === 'properties')]];
    }),
  );
}
