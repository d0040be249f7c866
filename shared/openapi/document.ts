// Reads OpenAPI documents: their operations, what references point at, and which body and response counts.

export type Node = Record<string, unknown>;

export interface Reference {
  $ref: string;
}

export interface MediaType {
  schema?: object;
  example?: unknown;
  examples?: Record<string, { value?: unknown } | Reference>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: object;
  example?: unknown;
}

export interface RequestBody {
  required?: boolean;
  content?: Record<string, MediaType>;
}

export interface Response {
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, MediaType>;
}

/** The parts of an operation that every reader knows. */
export interface OperationObject {
  operationId?: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses: Readonly<Record<string, Response | Reference>>;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Method = (typeof methods)[number];

/** A document whose references lie within it. */
export interface DocumentObject {
  paths?: object;
  components?: object;
}

export interface FoundOperation<Operation> {
  path: string;
  method: Method;
  /** With the parameters of its path, resolved. */
  operation: Omit<Operation, 'parameters'> & { parameters: Parameter[] };
}

/** Every operation, in the order of the paths. A reader names the keywords of its own as `Operation`. */
export function operationsIn<Operation extends OperationObject = OperationObject>(
  document: DocumentObject,
): FoundOperation<Operation>[] {
  const paths = (document.paths ?? {}) as Record<string, Partial<Record<Method | 'parameters', unknown>>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) return [];
      const shared = (item.parameters ?? []) as (Parameter | Reference)[];
      const parameters = [...shared, ...(operation.parameters ?? [])].map((each) => resolved(document, each));
      return [{ path, method, operation: { ...operation, parameters } }];
    }),
  );
}

/** No document refers through more references than this; one that does refers to itself. */
const maxReferences = 100;

/** The value itself, or what its reference points at. Throws if the document lacks that. */
export function resolved<Found>(document: object, value: Found | Reference): Found {
  let current: unknown = value;
  for (let count = 0; count < maxReferences; count += 1) {
    const reference = (current as Partial<Reference> | null | undefined)?.$ref;
    if (typeof reference !== 'string') return current as Found;
    current = targetOf(document, reference);
  }
  throw new Error('The document has a circle of references.');
}

function targetOf(document: object, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((node, step) => {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key))
      throw new Error(`${reference} is not in the document`);
    return (node as Node)[key];
  }, document);
}

/** The name of the component that a reference points at. */
export function nameIn(value: unknown): string | undefined {
  const { $ref } = (value ?? {}) as Partial<Reference>;
  return typeof $ref === 'string' ? $ref.replace(/^.*\//, '') : undefined;
}

/** The first response of success, resolved, with its status. */
export function successOf(
  document: object,
  { responses }: Pick<OperationObject, 'responses'>,
): { status: string; response: Response } | undefined {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  return status === undefined || response === undefined
    ? undefined
    : { status, response: resolved<Response>(document, response) };
}

/** JSON if the content has it, otherwise its first type. */
export function preferredMedia<Media = MediaType>(
  content: Readonly<Record<string, Media>> | undefined,
): { type: string; media: Media } | undefined {
  const entries = Object.entries(content ?? {});
  const [type, media] = entries.find(([name]) => name === 'application/json') ?? entries[0] ?? [];
  return type === undefined || media === undefined ? undefined : { type, media };
}

export const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** The first example of a body: its own, or that of its schema. */
export function exampleOf(document: object, { example, examples, schema }: MediaType): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values(examples ?? {});
  if (first !== undefined) return resolved<{ value?: unknown }>(document, first).value;
  return schema === undefined ? undefined : resolved<{ example?: unknown }>(document, schema).example;
}
