// Serves the contract documents and their reference: pages, search, guides, problems and the interactive reference.
import { readFileSync } from 'node:fs';
import express, { type Request, type Router } from 'express';
import { Assets, assetsPath, createAssetsRouter, scalarModule } from './reference/assets.ts';
import { slugOf } from './reference/catalogue.ts';
import { createDocumentsRouter } from './reference/documents.ts';
import { changelogRss } from './reference/changelog.ts';
import { llmsText } from './reference/llms-text.ts';
import { operationDocument, type PublishedDocument } from './reference/operation-document.ts';
import type { Pages } from './reference/pages.ts';
import { describeProblem, listProblems } from './reference/problem-markdown.ts';
import { samplesOf } from './reference/samples/samples.ts';
import { renderScalar, type ScalarOptions } from './reference/scalar.ts';
import { searchDocuments, type SearchOptions } from './reference/search-documents.ts';
import { Site, type SiteOptions, type SiteParts } from './reference/site.ts';

export interface DocsOptions extends SiteOptions {
  /** Whether pages of other origins may read the documents and texts; true unless set to false. */
  isReadableElsewhere?: boolean;
  search?: SearchOptions;
  /** Signs in with `email` and `password`; a contract without accounts has none. */
  signInPath?: string;
}

/** Pages load the style and the scripts of this server only. */
const pagePolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

export function createDocsRouter(options: DocsOptions): Router {
  const { baseUrl, isReadableElsewhere = true } = options;
  const documents = [...options.documents, ...options.messages];
  const assets = new Assets(options.signInPath);
  const site = new Site(options, assets);
  const router = express.Router();
  router.use(createAssetsRouter(assets));
  router.use(createDocumentsRouter({ documents, baseUrl, isReadableElsewhere }));
  addProblemJson(router, site, options);
  addChangelog(router, site, options);
  addTexts(router, site, options);
  addInteractivePages(router, site, { options, assets });
  addPages(router, site, options);
  return router;
}

function addPages(router: Router, site: Site, { signInPath }: DocsOptions): void {
  const add = (path: string, make: (pages: Pages, name: string) => string | undefined) =>
    router.get(path, async (request, response, next) => {
      const isSent = await site.send(request, response, {
        type: 'html',
        headers: { 'Content-Security-Policy': pagePolicy },
        make: ({ pages }) => make(pages, nameIn(request)),
      });
      if (!isSent) next();
    });
  add('/api/docs', (pages) => pages.overview());
  add('/api/docs/session', (pages) => pages.session(signInPath !== undefined));
  add('/api/docs/areas/:name', (pages, slug) => pages.area(slug));
  add('/api/docs/operations/:name', (pages, id) => pages.operation(id));
  add('/api/docs/guides/:name', (pages, name) => pages.guide(name));
  add('/api/docs/messages/:name', (pages, name) => pages.messages(name));
  add('/api/changelog', (pages) => pages.changelog());
  add('/problems', (pages) => pages.problems());
  add('/problems/:name', (pages, code) => pages.problem(code));
  router.get(['/api/docs/*path', '/problems/:name'], async (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') {
      next();
      return;
    }
    response.status(404);
    await site.send(request, response, {
      type: 'html',
      headers: { 'Content-Security-Policy': pagePolicy },
      name: '404',
      make: ({ pages }) => pages.missing(),
    });
  });
}

/** Texts for programs: Markdown, the search, single operations as OpenAPI, and the list for language models. */
function addTexts(router: Router, site: Site, options: DocsOptions): void {
  const {
    documents,
    messages,
    problems,
    baseUrl,
    languages = [],
    tools = [],
    search = { synonyms: [], rareSchemes: [] },
  } = options;
  const { catalogue } = site;
  let published: PublishedDocument | undefined;
  const publishedOnce = () =>
    (published ??= JSON.parse(readFileSync(documents[0].file, 'utf8')) as PublishedDocument);
  const add = (path: string, type: string, make: (parts: SiteParts, name: string) => string | undefined) =>
    router.get(path, async (request, response, next) => {
      const isSent = await site.send(request, response, {
        type,
        headers: crossOrigin(options),
        make: (parts) => make(parts, nameIn(request)),
      });
      if (!isSent) next();
    });
  add('/api/docs/operations/:name.md', 'text/markdown', ({ pages }, id) => pages.operationMarkdown(id));
  add('/api/docs/operations/:name.openapi.json', 'application/json', (_parts, id) => {
    const operation = catalogue.operations.get(id);
    if (operation === undefined) return undefined;
    const samples = samplesOf(operation, catalogue, { languages, baseUrl: baseUrl() });
    return JSON.stringify(operationDocument(publishedOnce(), id, samples));
  });
  add('/api/docs/guides/:name.md', 'text/markdown', ({ pages }, name) => pages.guideMarkdown(name));
  add('/api/docs/messages/:name.md', 'text/markdown', ({ pages }, name) => pages.messagesMarkdown(name));
  add('/problems.md', 'text/markdown', ({ pages }) => pages.problemsMarkdown());
  add('/problems/:name.md', 'text/markdown', ({ pages }, code) => pages.problemMarkdown(code));
  add('/api/docs/search.json', 'application/json', ({ guides }) =>
    JSON.stringify(searchDocuments({ catalogue, guides, problems, search })),
  );
  add('/llms.txt', 'text/plain', ({ guides }) =>
    llmsText({ catalogue, guides, baseUrl: baseUrl(), documents: [...documents, ...messages], tools }),
  );
}

/** Scalar's pages: of one operation, and of the whole contract. */
function addInteractivePages(
  router: Router,
  site: Site,
  { options, assets }: { options: DocsOptions; assets: Assets },
): void {
  const { catalogue } = site;
  const add = (
    path: string,
    find: (name: string) => Pick<ScalarOptions, 'title' | 'url' | 'back' | 'fragment'> | undefined,
  ) =>
    router.get(path, async (request, response, next) => {
      const found = find(nameIn(request));
      if (found === undefined) {
        next();
        return;
      }
      const { html, policy } = renderScalar({
        title: `${found.title} · ${catalogue.title}`,
        url: found.url,
        fragment: found.fragment,
        scalarUrl: `${assetsPath}/${scalarModule}`,
        sessionUrl: assets.urlOf('session.js'),
        back: found.back,
      });
      await site.send(request, response, {
        type: 'html',
        headers: { 'Content-Security-Policy': policy },
        make: () => html,
      });
    });
  add('/api/docs/reference', () => ({
    title: 'Interactive reference',
    url: `${options.documents[0].path}.json`,
    back: '/api/docs',
  }));
  add('/api/docs/try/:name', (id) => {
    const operation = catalogue.operations.get(id);
    const path = `/api/docs/operations/${id}`;
    if (operation === undefined) return undefined;
    const { summary: title, tag, method } = operation;
    const fragment = `tag/${slugOf(tag)}/${method}${operation.path}`;
    return { title, url: `${path}.openapi.json`, back: path, fragment };
  });
}

/** The pages of problems for programs: those that accept JSON rather than HTML. */
function addProblemJson(router: Router, site: Site, options: DocsOptions): void {
  const { problems } = options;
  router.get(['/problems', '/problems/:name'], async (request, response, next) => {
    response.vary('Accept');
    const code = nameIn(request);
    const isSent =
      acceptsJson(request) &&
      (await site.send(request, response, {
        type: 'application/json',
        headers: crossOrigin(options),
        make: () => {
          const found =
            code === '' ? listProblems(problems) : describeProblem(code, problems, site.catalogue);
          return found && JSON.stringify(found);
        },
      }));
    if (!isSent) next();
  });
}

/** Problems name these pages, so their own media type asks for JSON too. */
const acceptsJson = (request: Request): boolean =>
  ['json', 'application/problem+json'].includes(
    String(request.accepts(['html', 'json', 'application/problem+json'])),
  );

/** The changelog for programs: JSON, Markdown and a feed. A contract without versions has none of them. */
function addChangelog(router: Router, site: Site, options: DocsOptions): void {
  const { changelog = [], baseUrl } = options;
  if (changelog.length === 0) return;
  const { title } = site.catalogue;
  const add = (path: string, type: string, make: (parts: SiteParts) => string | undefined) =>
    router.get(path, async (request, response) => {
      await site.send(request, response, { type, headers: crossOrigin(options), make });
    });
  const json = JSON.stringify({ data: changelog });
  router.get('/api/changelog', (request, response, next) => {
    response.vary('Accept');
    if (request.accepts(['html', 'json']) === 'json') request.url = '/api/changelog.json';
    next();
  });
  add('/api/changelog.json', 'application/json', () => json);
  add('/api/changelog.md', 'text/markdown', ({ pages }) => pages.changelogMarkdown());
  add('/api/changelog.rss', 'application/rss+xml', () =>
    changelogRss(changelog, { title, baseUrl: baseUrl() }),
  );
}

/** Documents and texts are public: programs of other origins, such as client generators, read them. */
const crossOrigin = ({ isReadableElsewhere = true }: DocsOptions): Readonly<Record<string, string>> =>
  isReadableElsewhere ? { 'Access-Control-Allow-Origin': '*' } : {};

function nameIn({ params }: Request): string {
  const { name } = params;
  return typeof name === 'string' ? name : '';
}
