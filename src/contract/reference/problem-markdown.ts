// Writes what is published about a problem code: as Markdown and as JSON.
import type { ProblemKind, ProblemTable } from '../problem.ts';
import type { Catalogue, OperationEntry } from './catalogue.ts';

/** More operations are counted, not listed, on the page; the JSON lists all. */
const maxListed = 60;

/** A code as JSON, with the operations that can return it; undefined if there is no such code. */
export function describeProblem(code: string, { kinds }: ProblemTable, catalogue: Catalogue) {
  const kind = Object.hasOwn(kinds, code) ? kinds[code] : undefined;
  if (kind === undefined) return undefined;
  return {
    ...summarize(code, kind),
    operations: operationsWith(code, catalogue).map(({ id, method, path }) => ({
      operation_id: id,
      method,
      path,
      url: `/api/docs/operations/${id}`,
    })),
  };
}

/** Every code as JSON, in alphabetical order. */
export const listProblems = ({ kinds }: ProblemTable) => ({
  data: Object.entries(kinds)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, kind]) => summarize(code, kind)),
});

const summarize = (code: string, { title, status, cause, remedy, retryAfterSeconds }: ProblemKind) => ({
  type: `/problems/${code}`,
  code,
  title,
  status,
  cause,
  remedy,
  retry_after_seconds: retryAfterSeconds ?? null,
});

const operationsWith = (code: string, { operations }: Catalogue): OperationEntry[] =>
  [...operations.values()].filter(({ problems }) => problems.has(code));

function retryOf({ status, retryAfterSeconds }: ProblemKind): string {
  if (retryAfterSeconds !== undefined)
    return ` \`Retry-After\` has the seconds after which a retry makes sense, usually ${retryAfterSeconds}.`;
  return status < 500 ? ' Repeating the request unchanged does not help by itself.' : '';
}

export function problemMarkdown(code: string, kind: ProblemKind, catalogue: Catalogue): string {
  return `# ${kind.title}

Code \`${code}\`, HTTP status ${kind.status}.${retryOf(kind)}

## Cause

${kind.cause}

## What to do

${kind.remedy}

The \`detail\` of the response describes the individual case.

## Operations

${operationList(operationsWith(code, catalogue), catalogue.operations.size)}

[All problems](/problems)
`;
}

function operationList(returning: OperationEntry[], total: number): string {
  if (returning.length === total) return 'Every operation can return this problem.';
  if (returning.length === 0) return 'Requests that reach no operation return this problem.';
  if (returning.length > maxListed)
    return `${returning.length} of ${total} operations can return this problem. The page of each operation lists its problems.`;
  return returning
    .map(
      ({ id, summary, method, path }) => `- [${summary}](/api/docs/operations/${id}) \`${method} ${path}\``,
    )
    .join('\n');
}

export function problemsMarkdown({ kinds }: ProblemTable): string {
  const byStatus = Map.groupBy(Object.entries(kinds), ([, { status }]) => status);
  const sections = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, entries]) => {
      const rows = entries
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([code, { title }]) => `| [\`${code}\`](/problems/${code}) | ${title} |`);
      return `## Status ${status}\n\n| Code | Meaning |\n| --- | --- |\n${rows.join('\n')}`;
    });
  return `# Problems

Errors are \`application/problem+json\` (RFC 9457). Programs decide on \`code\`; \`detail\` is for people. \`type\` is the
address of the page of the code, relative to the server. That page is also available as JSON (\`Accept: application/json\`).

${sections.join('\n\n')}
`;
}
