// The published form of a contract document: absolute addresses, and no extensions that only this server reads.
import { withPublicExtensions } from '../../../shared/openapi/keywords.ts';

interface Addresses {
  servers?: unknown;
  info?: { contact?: Address; externalDocs?: Address };
  externalDocs?: Address;
  /** Of workflows: the documents whose operations they call. */
  sourceDescriptions?: Address[];
}

interface Address {
  url: string;
}

export function publishedForm(document: unknown, baseUrl: string): unknown {
  const published = withPublicExtensions(document) as Addresses;
  if (Array.isArray(published.servers))
    published.servers = (published.servers as Address[]).map((server) => absolute(server, baseUrl));
  const { info, externalDocs, sourceDescriptions } = published;
  if (sourceDescriptions !== undefined)
    published.sourceDescriptions = sourceDescriptions.map((source) => absolute(source, baseUrl));
  if (info?.contact !== undefined) info.contact = absolute(info.contact, baseUrl);
  if (info?.externalDocs !== undefined) info.externalDocs = absolute(info.externalDocs, baseUrl);
  if (externalDocs !== undefined) published.externalDocs = absolute(externalDocs, baseUrl);
  return published;
}

const absolute = <Given extends Address>(given: Given, baseUrl: string): Given => ({
  ...given,
  ...(given.url?.startsWith('/') && { url: given.url === '/' ? baseUrl || '/' : `${baseUrl}${given.url}` }),
});
