// Makes the pages of the reference: overview, areas, operations, guides, messages and problems.
import type { ProblemKind, ProblemTable } from '../problem.ts';
import type { OperationEntry, Tag } from './catalogue.ts';
import { changelogMarkdown } from './changelog.ts';
import { guideLink, withSiteLinks, type Guide } from './guides.ts';
import { operationTable, renderPage, type PageContent, type SiteLayout } from './layout.ts';
import { escapeHtml, htmlOf } from './markdown-html.ts';
import { messagesMarkdown, type MessageDocument } from './messages-markdown.ts';
import { operationMarkdown, sampleMarkdown } from './operation-markdown.ts';
import { problemMarkdown, problemsMarkdown } from './problem-markdown.ts';
import type { SampleLanguage } from './samples/sample-call.ts';
import { curlSampleOf, samplesOf, type WrittenSample } from './samples/samples.ts';
import type { Tool } from './tools.ts';

export interface MessagePage {
  /** The last part of the path. */
  name: string;
  /** The paths of the document without the format. */
  path: string;
  document: MessageDocument;
}

export interface PagesParts extends SiteLayout {
  problems: ProblemTable;
  messages: readonly MessagePage[];
  documents: readonly { path: string; title: string }[];
  /** Languages of code samples besides curl. */
  languages: readonly SampleLanguage[];
  tools: readonly Tool[];
  baseUrl: string;
}

export class Pages {
  readonly #parts: PagesParts;

  constructor(parts: PagesParts) {
    this.#parts = parts;
  }

  overview(): string {
    const { catalogue, messages, documents, tools } = this.#parts;
    const { title, version, description, groups } = catalogue;
    const areas = groups.map(
      (group) =>
        `<h2 id="${group.tags[0]?.slug ?? ''}-group">${escapeHtml(group.name)}</h2>\n${group.tags.map(areaSection).join('\n')}`,
    );
    const links = documents.map(
      ({ path, title: name }) =>
        `<li>${escapeHtml(name)}: <a href="${path}.json">JSON</a>, <a href="${path}.yaml">YAML</a></li>`,
    );
    const around = tools.map(({ path, title: name, note }) => `- [${name}](${path}): ${note}`);
    const others = messages.map(
      ({ name, document }) =>
        `<li><a href="/api/docs/messages/${name}">${escapeHtml(document.info.title)}</a></li>`,
    );
    return this.#render({
      path: '/api/docs',
      title,
      html: `<h1>${escapeHtml(title)}</h1>
<p>Version ${escapeHtml(version)} · ${catalogue.operations.size} operations</p>
${htmlOf(description)}
${around.length === 0 ? '' : `<h2 id="tools">Tools</h2>\n${htmlOf(around.join('\n'))}\n`}<h2 id="documents">Contract documents</h2>
<ul>${links.join('\n')}</ul>
${others.length === 0 ? '' : `<h2 id="messages">Messages and sockets</h2>\n<ul>${others.join('\n')}</ul>`}
${areas.join('\n')}`,
    });
  }

  area(slug: string): string | undefined {
    const tag = this.#parts.catalogue.groups.flatMap(({ tags }) => tags).find((found) => found.slug === slug);
    return (
      tag &&
      this.#render({
        path: `/api/docs/areas/${slug}`,
        title: tag.name,
        tag: tag.name,
        html: `<h1>${escapeHtml(tag.name)}</h1>\n${htmlOf(tag.description)}\n${operationTable(tag.operations)}`,
      })
    );
  }

  operation(id: string): string | undefined {
    const { catalogue, languages, baseUrl } = this.#parts;
    const operation = catalogue.operations.get(id);
    if (operation === undefined) return undefined;
    const actions = `<p class="actions"><a class="button" href="/api/docs/try/${id}">Try it</a><a class="button quiet" href="/api/docs/operations/${id}.openapi.json">OpenAPI of this operation</a></p>`;
    return this.#render({
      path: `/api/docs/operations/${id}`,
      title: operation.summary,
      tag: operation.tag,
      markdownPath: `/api/docs/operations/${id}.md`,
      html: `${htmlOf(this.#markdownOf(operation, [])).replace('</h1>', `</h1>\n${actions}`)}${samplesHtml(samplesOf(operation, catalogue, { languages, baseUrl }))}`,
    });
  }

  operationMarkdown(id: string): string | undefined {
    const { catalogue, baseUrl } = this.#parts;
    const operation = catalogue.operations.get(id);
    return operation && this.#markdownOf(operation, [curlSampleOf(operation, catalogue, baseUrl)]);
  }

  guide(name: string): string | undefined {
    const guide = this.#guideOf(name);
    const names = this.#parts.guides.map((found) => found.name);
    return (
      guide &&
      this.#render({
        path: `/api/docs/guides/${name}`,
        title: guide.title,
        markdownPath: `/api/docs/guides/${name}.md`,
        html: htmlOf(guide.markdown, (target) => guideLink(target, names)),
      })
    );
  }

  guideMarkdown(name: string): string | undefined {
    const names = this.#parts.guides.map((found) => found.name);
    const markdown = this.#guideOf(name)?.markdown;
    return markdown && withSiteLinks(markdown, names);
  }

  messages(name: string): string | undefined {
    const found = this.#parts.messages.find((page) => page.name === name);
    return (
      found &&
      this.#render({
        path: `/api/docs/messages/${name}`,
        title: found.document.info.title,
        markdownPath: `/api/docs/messages/${name}.md`,
        html: `${htmlOf(messagesMarkdown(found.document))}<p>AsyncAPI document: <a href="${found.path}.json">JSON</a>, <a href="${found.path}.yaml">YAML</a></p>`,
      })
    );
  }

  messagesMarkdown(name: string): string | undefined {
    const found = this.#parts.messages.find((page) => page.name === name);
    return found && messagesMarkdown(found.document);
  }

  problems(): string {
    return this.#render({ path: '/problems', title: 'Problems', html: htmlOf(this.problemsMarkdown()) });
  }

  problemsMarkdown(): string {
    return problemsMarkdown(this.#parts.problems);
  }

  problem(code: string): string | undefined {
    const kind = this.#problemKind(code);
    const markdown = this.problemMarkdown(code);
    return (
      kind &&
      markdown &&
      this.#render({ path: `/problems/${code}`, title: kind.title, html: htmlOf(markdown) })
    );
  }

  problemMarkdown(code: string): string | undefined {
    const kind = this.#problemKind(code);
    return kind && problemMarkdown(code, kind, this.#parts.catalogue);
  }

  #problemKind(code: string): ProblemKind | undefined {
    const { kinds } = this.#parts.problems;
    return Object.hasOwn(kinds, code) ? kinds[code] : undefined;
  }

  /** For addresses that have no page. */
  missing(): string {
    return this.#render({
      path: '/api/docs',
      title: 'No such page',
      html: htmlOf(
        '# No such page\n\nThe address is not one of this reference. Search above, or continue with the [overview](/api/docs) or the [problems](/problems).',
      ),
    });
  }

  changelog(): string | undefined {
    const markdown = this.changelogMarkdown();
    return (
      markdown &&
      this.#render({
        path: '/api/changelog',
        title: 'API changelog',
        markdownPath: '/api/changelog.md',
        html: htmlOf(markdown),
      })
    );
  }

  changelogMarkdown(): string | undefined {
    const { changelog } = this.#parts;
    return changelog.length === 0 ? undefined : changelogMarkdown(changelog);
  }

  session(canSignIn: boolean): string {
    const { assetUrl } = this.#parts;
    const signIn = `<h2 id="with-an-account">With an account</h2>
<form id="sign-in">
<label>E-mail address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<div><button>Sign in</button></div>
</form>
`;
    return this.#render({
      path: '/api/docs/session',
      title: 'Session of “Try it”',
      html: `<h1>Session of “Try it”</h1>
<p>“Try it” sends requests of this browser tab with the credential that you set here. It stays in this tab and is gone when you close it. Requests are real: they act on the license of the credential.</p>
<p><output role="status"></output></p>
${canSignIn ? signIn : ''}<h2 id="with-a-token-or-key">With a token or key</h2>
<form id="token">
<label>Access token, API key or sandbox key <input name="token" autocomplete="off" spellcheck="false" required></label>
<div><button>Use it</button> <button class="quiet" type="button" id="forget">Forget the credential</button></div>
</form>
<p>A web panel can open any page of this reference with <code>#token=…</code>: the part behind the <code>#</code> reaches no server.</p>
<script type="module" src="${assetUrl('session-page.js')}"></script>`,
    });
  }

  #guideOf(name: string): Guide | undefined {
    return this.#parts.guides.find((found) => found.name === name);
  }

  #markdownOf(operation: OperationEntry, samples: readonly WrittenSample[]): string {
    const { catalogue, problems } = this.#parts;
    return operationMarkdown(operation, { catalogue, kinds: problems.kinds, samples });
  }

  #render(content: PageContent): string {
    return renderPage(this.#parts, content);
  }
}

const areaSection = ({ name, slug, description, operations }: Tag): string =>
  `<h3 id="${slug}"><a class="anchor" href="/api/docs/areas/${slug}">${escapeHtml(name)}</a></h3>\n${htmlOf(description)}\n${operationTable(operations)}`;

/** One sample is open at a time, and the page needs no script for it. */
const samplesHtml = (
  samples: readonly WrittenSample[],
): string => `<h2 id="example"><a class="anchor" href="#example">Example</a></h2>
${samples
  .map(
    (sample, index) =>
      `<details class="sample" name="sample"${index === 0 ? ' open' : ''}><summary>${escapeHtml(sample.label)}</summary>\n${htmlOf(sampleMarkdown(sample))}</details>`,
  )
  .join('\n')}
`;
