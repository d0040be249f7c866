// Requests typed by the `paths` that openapi-typescript writes for a contract. It has no dependencies.

type SentBody = NonNullable<RequestInit['body']>;

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

export type PathWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, object> ? Path : never;
}[keyof Paths];

type OperationAt<Paths, Path extends keyof Paths, M extends Method> =
  Paths[Path] extends Record<M, infer Op> ? Op : never;

/** The places that have parameters: `path`, `query`, `header`. */
type Parameters<Op> = Op extends { parameters: infer Places }
  ? { [Place in keyof Places as [NonNullable<Places[Place]>] extends [never] ? never : Place]: Places[Place] }
  : object;

type JsonOf<Content> = {
  [Type in keyof Content]: Type extends `${string}/json` | `${string}+json` ? Content[Type] : never;
}[keyof Content];

/** JSON as its type; files and forms as fetch takes them. */
type BodyOf<Content> = [JsonOf<Content>] extends [never] ? SentBody : JsonOf<Content>;

type WithParameters<Op> =
  object extends Parameters<Op> ? { params?: Parameters<Op> } : { params: Parameters<Op> };

type WithBody<Op> = Op extends { requestBody: { content: infer Content } }
  ? { body: BodyOf<Content> }
  : Op extends { requestBody?: { content: infer Content } }
    ? { body?: BodyOf<Content> }
    : { body?: never };

interface Parsed {
  text: string;
  blob: Blob;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array> | null;
}

export type ParseAs = keyof Parsed;

interface Settings {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How to read a successful response that is not JSON; as a Blob unless given. */
  parseAs?: ParseAs;
}

export type Init<Paths, Path extends keyof Paths, M extends Method> = WithParameters<
  OperationAt<Paths, Path, M>
> &
  WithBody<OperationAt<Paths, Path, M>> &
  Settings;

/** Optional where nothing is required. */
export type Arguments<Given> = object extends Given ? [init?: Given] : [init: Given];

type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206;

type DataOfResponse<Response> = Response extends { content: infer Content }
  ? [JsonOf<Content>] extends [never]
    ? Blob
    : JsonOf<Content>
  : undefined;

type DataOf<Op> = Op extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: DataOfResponse<Responses[Status]> }[keyof Responses & Success]
  : never;

export type Data<Paths, Path extends keyof Paths, M extends Method, Given> = Given extends {
  parseAs: infer As extends ParseAs;
}
  ? Parsed[As]
  : DataOf<OperationAt<Paths, Path, M>>;

interface UntypedInit extends Settings {
  params?: { path?: object; query?: object; header?: object };
  body?: unknown;
}

/** The request of an operation. */
export function requestOf(
  baseUrl: string,
  method: string,
  path: string,
  init: UntypedInit,
  base?: RequestInit,
): Request {
  const { params = {}, headers: own, body, signal } = init;
  const headers = new Headers(own);
  for (const [name, value] of entriesOf(params.header)) headers.set(name, text(value));
  const isJson = body !== undefined && !isSentAsIs(body);
  if (isJson && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  return new Request(`${baseUrl}${filled(path, params.path)}${queryOf(params.query)}`, {
    ...base,
    method: method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as SentBody) }),
    ...(signal === undefined ? {} : { signal }),
    // Fetch requires it for streams.
    ...(body instanceof ReadableStream ? ({ duplex: 'half' } as object) : {}),
  });
}

/** The body of a successful response. */
export async function dataOf(response: Response, parseAs?: ParseAs): Promise<unknown> {
  if (parseAs === 'stream') return response.body;
  if (parseAs !== undefined) return response[parseAs]();
  if (response.status === 204 || response.headers.get('Content-Length') === '0') return undefined;
  return isJsonResponse(response) ? response.json() : response.blob();
}

const isJsonResponse = ({ headers }: Response): boolean =>
  /^[^;]*[/+]json\b/i.test(headers.get('Content-Type') ?? '');

function isSentAsIs(body: unknown): boolean {
  return (
    body instanceof FormData ||
    body instanceof Blob ||
    body instanceof URLSearchParams ||
    body instanceof ReadableStream ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body)
  );
}

/** An empty segment, or dots, would name another path. */
function filled(path: string, values: object | undefined): string {
  const given = new Map(entriesOf(values));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.has(name) ? text(given.get(name)) : '';
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`"${value}" is not a valid ${name}`);
    return encodeURIComponent(value);
  });
}

function queryOf(values: object | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of entriesOf(values))
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) query.append(name, text(each));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

const entriesOf = (values: object | undefined): [string, unknown][] =>
  Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null);

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
