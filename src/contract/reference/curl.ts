// Writes the curl command of an operation, with its example.
import type { Catalogue, MediaType, OperationEntry, Parameter } from './catalogue.ts';

/** A command for a shell that has the credential in a variable. */
export function curlOf(operation: OperationEntry, { securitySchemes }: Catalogue, baseUrl: string): string {
  const { method, parameters } = operation;
  const [scheme] = operation.security.flatMap((requirement) => Object.keys(requirement));
  const found = scheme === undefined ? undefined : securitySchemes[scheme];
  const credential =
    found === undefined
      ? []
      : found.type === 'apiKey'
        ? [`-H "${found.name ?? ''}: $KEY"`]
        : ['-H "Authorization: Bearer $TOKEN"'];
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${baseUrl}${pathOf(operation)}'`,
    ...credential,
    ...parameters
      .filter(isRequiredHeader)
      .map((parameter) => `-H '${parameter.name}: ${exampleOf(parameter)}'`),
    ...bodyOf(operation),
  ];
  return lines.join(' \\\n  ');
}

export const firstExampleOf = ({ example, examples }: MediaType): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

const isRequiredHeader = (parameter: Parameter) => parameter.in === 'header' && parameter.required === true;

function pathOf({ path, parameters }: OperationEntry): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((found) => found.in === 'path' && found.name === name);
    return parameter === undefined ? whole : encodeURIComponent(exampleOf(parameter));
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function exampleOf({ name, example, schema }: Parameter): string {
  const found = example ?? schema?.example ?? schema?.examples?.[0] ?? schema?.enum?.[0] ?? schema?.default;
  return found === undefined ? `{${name}}` : typeof found === 'string' ? found : JSON.stringify(found);
}

function bodyOf({ body }: OperationEntry): string[] {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return [];
  if (type === 'multipart/form-data') {
    const fields = (firstExampleOf(media) ?? {}) as Record<string, unknown>;
    return Object.entries(fields).map(
      ([name, value]) =>
        `-F ${quoted(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`,
    );
  }
  const example = firstExampleOf(media);
  const header = `-H 'Content-Type: ${type}'`;
  return type.endsWith('json')
    ? [header, `-d ${quoted(JSON.stringify(example ?? {}, null, 2))}`]
    : [header, `--data-binary @file`];
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
