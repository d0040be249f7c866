// Writes the page of one operation in Markdown: what it does, what it takes and returns, and its problems.
import type { ProblemTable } from '../problem.ts';
import type { Catalogue, MediaType, OperationEntry, Parameter } from './catalogue.ts';
import { firstExampleOf } from './samples/sample-call.ts';
import type { WrittenSample } from './samples/samples.ts';
import { fieldsOf, oneLine, parameterLine, typeOf } from './schema-markdown.ts';

export interface MarkdownParts {
  catalogue: Catalogue;
  kinds: ProblemTable['kinds'];
  /** Code that calls the operation. */
  samples: readonly WrittenSample[];
}

export function operationMarkdown(operation: OperationEntry, parts: MarkdownParts): string {
  const { catalogue, samples } = parts;
  const sections = [
    `# ${operation.summary}`,
    `\`${operation.method} ${operation.path}\` · operation ID \`${operation.id}\` · ${operation.tag}`,
    deprecationOf(operation, catalogue),
    operation.description,
    section('Authentication', authenticationOf(operation, catalogue)),
    section('Parameters', parametersOf(operation.parameters, catalogue)),
    section('Request body', bodyOf(operation, catalogue)),
    section(`Response ${operation.status}`, replyOf(operation, catalogue)),
    section('Problems', problemsOf(operation, parts.kinds)),
    section('Example', samples.map(sampleMarkdown).join('\n\n')),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const section = (title: string, text: string) => (text === '' ? '' : `## ${title}\n\n${text}`);

function deprecationOf({ deprecation }: OperationEntry, { operations }: Catalogue): string {
  if (deprecation === undefined) return '';
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const { sinceMs, sunsetMs, successor = '' } = deprecation;
  const operation = operations.get(successor);
  const instead =
    operation === undefined
      ? 'The [changelog](/api/changelog) says what to use instead.'
      : `Use [${operation.summary}](/api/docs/operations/${successor}) instead: \`${operation.method} ${operation.path}\`.`;
  return `**Deprecated** since ${day(sinceMs)}. It works at least until ${day(sunsetMs)}. ${instead}`;
}

function authenticationOf({ security }: OperationEntry, { securitySchemes }: Catalogue): string {
  const alternatives = security.flatMap((requirement) => Object.entries(requirement));
  if (alternatives.length === 0) return 'None: anyone may call it.';
  return alternatives
    .map(([name, permissions]) => {
      const scheme = securitySchemes[name];
      const header =
        scheme?.type === 'apiKey'
          ? `\`${scheme.name ?? ''}\` (${scheme.in ?? ''})`
          : '`Authorization: Bearer …`';
      const needed =
        permissions.length === 0
          ? ''
          : ` with ${permissions.map((permission) => `\`${permission}\``).join(', ')}`;
      return `- \`${name}\`${needed}: ${header}. ${
        oneLine(scheme?.description ?? '')
          .split('. ')[0]
          ?.replace(/\.?$/, '.') ?? ''
      }`;
    })
    .join('\n');
}

function parametersOf(parameters: readonly Parameter[], { schemas }: Catalogue): string {
  return parameters.map((parameter) => parameterLine(parameter, schemas)).join('\n');
}

function bodyOf({ body }: OperationEntry, { schemas }: Catalogue): string {
  if (body === undefined) return '';
  return Object.entries(body.content)
    .map(([type, media]) => mediaOf(type, media, schemas, body.isRequired ? 'required' : 'optional'))
    .join('\n\n');
}

function replyOf({ reply }: OperationEntry, { schemas }: Catalogue): string {
  const content = Object.entries(reply.content ?? {}).map(([type, media]) => mediaOf(type, media, schemas));
  return [reply.description.trim(), ...content].join('\n\n');
}

function mediaOf(type: string, media: MediaType, schemas: Catalogue['schemas'], word?: string): string {
  const fields = media.schema === undefined ? '' : fieldsOf(media.schema, schemas);
  const example = firstExampleOf(media);
  return [
    `\`${type}\`${word === undefined ? '' : `, ${word}`}${media.schema === undefined ? '' : `: ${typeOf(media.schema, schemas)}`}`,
    fields,
    example === undefined || typeof example === 'string'
      ? ''
      : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function problemsOf({ problems }: OperationEntry, kinds: ProblemTable['kinds']): string {
  const rows = [...problems].map(
    ([code, condition]) =>
      `| ${kinds[code]?.status ?? ''} | [\`${code}\`](/problems/${code}) | ${condition} |`,
  );
  return ['| Status | Code | Condition |', '| --- | --- | --- |', ...rows].join('\n');
}

export const sampleMarkdown = ({ fence, source }: WrittenSample): string =>
  `\`\`\`${fence}\n${source}\n\`\`\``;
