// Writes /llms.txt, the list of pages for language models, in the form of llmstxt.org.
import type { Catalogue } from './catalogue.ts';
import type { Guide } from './guides.ts';
import { oneLine } from './schema-markdown.ts';
import type { Tool } from './tools.ts';

export interface LlmsParts {
  catalogue: Catalogue;
  guides: readonly Guide[];
  baseUrl: string;
  /** Paths of the contract documents without their format, with what each of them is. */
  documents: readonly { path: string; title: string }[];
  tools: readonly Tool[];
}

export function llmsText({ catalogue, guides, baseUrl, documents, tools }: LlmsParts): string {
  const { title, version, description, groups } = catalogue;
  const link = (text: string, path: string, note: string) =>
    `- [${text}](${baseUrl}${path}): ${oneLine(note)}`;
  const sections = [
    `# ${title}`,
    `> ${oneLine(description.split(/\n{2,}/)[0] ?? '')}`,
    `Version ${version}. Server: ${baseUrl}. Each operation and guide below is a Markdown page. Send an access token as \`Authorization: Bearer …\`, or an API key as \`X-Api-Key\`. Errors are \`application/problem+json\`; decide on \`code\`, and see ${baseUrl}/problems.`,
    ...(guides.length === 0
      ? []
      : [
          '## Guides',
          guides
            .map(({ name, title: heading, markdown }) =>
              link(heading, `/api/docs/guides/${name}.md`, firstSentence(markdown)),
            )
            .join('\n'),
        ]),
    ...(tools.length === 0
      ? []
      : [
          '## Tools',
          tools.map(({ title: name, path, note }) => link(name, inMarkdown(path), note)).join('\n'),
        ]),
    ...groups.flatMap((group) =>
      group.tags.flatMap((tag) => [
        `## ${groups.length === 1 ? '' : `${group.name}: `}${tag.name}`,
        tag.operations
          .map(({ id, summary, method, path, deprecation }) =>
            link(
              summary,
              `/api/docs/operations/${id}.md`,
              `${method} ${path}${deprecation === undefined ? '' : ' (deprecated)'}`,
            ),
          )
          .join('\n'),
      ]),
    ),
    '## Optional',
    documents
      .flatMap((document) =>
        ['json', 'yaml'].map((format) =>
          link(document.title, `${document.path}.${format}`, format.toUpperCase()),
        ),
      )
      .join('\n'),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Guides have a page in Markdown, too. */
const inMarkdown = (path: string) => path.replace(/^(\/api\/docs\/guides\/[\w-]+)/, '$1.md');

/** The first sentence below the title. */
function firstSentence(markdown: string): string {
  const paragraph = markdown.split(/\n{2,}/).find((text) => !text.startsWith('#')) ?? '';
  return /^[\s\S]*?[.:](?=\s|$)/.exec(paragraph)?.[0].replace(/:$/, '.') ?? paragraph;
}
