// The requests that collections hold: every operation of the contract with its parameters and an example of its body.

export interface CollectedParameter {
  name: string;
  place: 'path' | 'query' | 'header';
  isRequired: boolean;
  description: string;
  example: string;
}

export interface CollectedRequest {
  id: string;
  summary: string;
  description: string;
  method: string;
  path: string;
  parameters: CollectedParameter[];
  body: { contentType: string; example: unknown } | undefined;
  /** The header that authenticates, with the collection's variable. */
  auth: { header: string; value: string } | undefined;
}

export interface Folder {
  name: string;
  /** The group of the reference that has this folder. */
  group: string;
  requests: CollectedRequest[];
}

type Node = Record<string, unknown>;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** One folder for each tag, in the order of the reference. */
export function foldersOf(document: Node): Folder[] {
  const resolve = <Kind>(value: unknown): Kind => {
    const { $ref } = (value ?? {}) as { $ref?: string };
    if ($ref === undefined) return value as Kind;
    const steps = $ref.slice(2).split('/');
    return resolve(steps.reduce<unknown>((node, key) => (node as Node)[key.replaceAll('~1', '/')], document));
  };
  const byTag = new Map<string, CollectedRequest[]>();
  for (const [path, item] of Object.entries(document['paths'] as Record<string, Node>))
    for (const method of methods) {
      const operation = item[method] as Node | undefined;
      if (operation === undefined) continue;
      const [tag = ''] = operation['tags'] as string[];
      const shared = (item['parameters'] ?? []) as unknown[];
      const requests = byTag.get(tag) ?? [];
      byTag.set(tag, [...requests, requestOf(method, path, operation, shared, resolve)]);
    }
  const groups = (document['x-tagGroups'] ?? []) as { name: string; tags: string[] }[];
  const ordered = groups.flatMap(({ name: group, tags }) => tags.map((name) => ({ name, group })));
  const others = [...byTag.keys()].filter((tag) => !ordered.some(({ name }) => name === tag));
  return [...ordered, ...others.map((name) => ({ name, group: 'Other' }))].flatMap(({ name, group }) => {
    const requests = byTag.get(name);
    return requests === undefined ? [] : [{ name, group, requests }];
  });
}

type Resolve = <Kind>(value: unknown) => Kind;

interface Media {
  example?: unknown;
  examples?: Record<string, unknown>;
}

function requestOf(
  method: string,
  path: string,
  operation: Node,
  shared: unknown[],
  resolve: Resolve,
): CollectedRequest {
  const parameters = [...shared, ...((operation['parameters'] ?? []) as unknown[])].flatMap((each) => {
    const {
      name,
      in: place,
      required,
      description,
      example,
      schema,
    } = resolve<{
      name: string;
      in: CollectedParameter['place'] | 'cookie';
      required?: boolean;
      description?: string;
      example?: unknown;
      schema?: unknown;
    }>(each);
    if (place === 'cookie') return [];
    const { example: own, default: preset } = resolve<{ example?: unknown; default?: unknown }>(schema) ?? {};
    const sample = example ?? own ?? preset;
    return [
      {
        name,
        place,
        isRequired: required === true,
        description: description ?? '',
        example: sample === undefined ? '' : typeof sample === 'string' ? sample : JSON.stringify(sample),
      },
    ];
  });
  const { content = {} } =
    resolve<{ content?: Record<string, Media> } | undefined>(operation['requestBody']) ?? {};
  const entries = Object.entries(content);
  const [contentType, media] = entries.find(([type]) => type === 'application/json') ?? entries[0] ?? [];
  const [first] = Object.values(media?.examples ?? {});
  const example = media?.example ?? resolve<{ value?: unknown } | undefined>(first)?.value;
  return {
    id: String(operation['operationId']),
    summary: (operation['summary'] as string | undefined) ?? '',
    description: (operation['description'] as string | undefined) ?? '',
    method: method.toUpperCase(),
    path,
    parameters,
    body: contentType === undefined ? undefined : { contentType, example },
    auth: authOf((operation['security'] ?? []) as Record<string, unknown>[]),
  };
}

/** API keys where they are accepted; otherwise the token or key that the operation's audience has. */
function authOf(security: Record<string, unknown>[]): CollectedRequest['auth'] {
  const schemes = security.flatMap((alternative) => Object.keys(alternative));
  if (schemes.length === 0) return undefined;
  if (schemes.includes('apiKey')) return { header: 'X-Api-Key', value: '{{apiKey}}' };
  if (schemes.includes('hostKey')) return { header: 'Authorization', value: 'Bearer {{hostKey}}' };
  if (schemes.includes('companionToken'))
    return { header: 'Authorization', value: 'Bearer {{companionToken}}' };
  if (schemes.includes('licenseKey')) return { header: 'X-License-Key', value: '{{licenseKey}}' };
  return { header: 'Authorization', value: 'Bearer {{token}}' };
}

/** Variables of a collection; secrets are empty. */
export const variables = {
  baseUrl: 'http://127.0.0.1:3000',
  apiKey: '',
  token: '',
  hostKey: '',
  companionToken: '',
  licenseKey: '',
} as const;
