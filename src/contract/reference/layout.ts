// The frame of every page of the reference: header with search, navigation, and the content.
import type { Catalogue, OperationEntry } from './catalogue.ts';
import type { ChangelogVersion } from './changelog.ts';
import type { Guide } from './guides.ts';
import { escapeHtml } from './markdown-html.ts';

export interface SiteLayout {
  catalogue: Catalogue;
  guides: readonly Guide[];
  /** Versions of the contract, newest first; empty for a contract without a changelog. */
  changelog: readonly ChangelogVersion[];
  /** Address of an asset, with its version. */
  assetUrl: (name: string) => string;
}

export interface PageContent {
  /** The path of the page, which the navigation marks. */
  path: string;
  title: string;
  /** Trusted HTML. */
  html: string;
  /** The tag whose operations the navigation lists. */
  tag?: string;
  /** The same page in Markdown. */
  markdownPath?: string;
}

export function renderPage(site: SiteLayout, content: PageContent): string {
  const { catalogue, assetUrl } = site;
  const { path, title, html, tag, markdownPath } = content;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === catalogue.title ? title : `${title} · ${catalogue.title}`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetUrl('docs.css')}">${
    markdownPath === undefined
      ? ''
      : `\n<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownPath)}">`
  }
<script type="module" src="${assetUrl('docs.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="menu" href="#navigation">Menu</a>
<a class="home" href="/api/docs">${escapeHtml(catalogue.title)}</a>
<div class="search" role="search">
<input type="search" placeholder="Search operations and guides" aria-label="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results">
<ul id="results" role="listbox" aria-label="Search results" hidden></ul>
</div>
<a class="session" href="/api/docs/session">Sign in</a>
</header>
<nav id="navigation" aria-label="Reference">
<a class="close" href="#content">Close menu</a>
${navigation(site, path, tag)}
</nav>
<main id="content">
${html}
${markdownPath === undefined ? '' : `<p class="alternate"><a href="${escapeHtml(markdownPath)}">This page as Markdown</a></p>\n`}</main>
</body>
</html>
`;
}

function navigation(
  { catalogue: { groups }, guides, changelog }: SiteLayout,
  path: string,
  currentTag: string | undefined,
): string {
  const link = (href: string, text: string) =>
    `<li><a href="${href}"${href === path ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;
  const guideLinks = guides.map(({ name, title }) => link(`/api/docs/guides/${name}`, shortTitle(title)));
  const sections = [
    `<h2>Start</h2>\n<ul>${[
      link('/api/docs', 'Overview'),
      ...guideLinks,
      link('/problems', 'Problems'),
      ...(changelog.length === 0 ? [] : [link('/api/changelog', 'API changelog')]),
      link('/api/docs/reference', 'Interactive reference'),
    ].join('\n')}</ul>`,
    ...groups.map(({ name, tags }) => {
      const items = tags.map((tag) => {
        const href = `/api/docs/areas/${tag.slug}`;
        const operations = tag.operations.map((operation) => operationLink(operation, path)).join('\n');
        const below = tag.name === currentTag ? `\n<ul>${operations}</ul>` : '';
        return `<li><a href="${href}"${href === path ? ' aria-current="page"' : ''}>${escapeHtml(tag.name)}</a>${below}</li>`;
      });
      return `<h2>${escapeHtml(name)}</h2>\n<ul>${items.join('\n')}</ul>`;
    }),
  ];
  return sections.join('\n');
}

/** The title without what follows a comma or a colon, which is too long for the navigation. */
const shortTitle = (title: string) => title.replace(/[:,].*$/, '');

function operationLink({ id, summary, method }: OperationEntry, path: string): string {
  const href = `/api/docs/operations/${id}`;
  return `<li><a href="${href}"${href === path ? ' aria-current="page"' : ''}><span class="method ${method.toLowerCase()}">${method}</span> ${escapeHtml(summary)}</a></li>`;
}

/** The operations of a tag as a table of links. */
export const operationTable = (operations: readonly OperationEntry[]): string =>
  `<ul class="operations">${operations
    .map(
      ({ id, summary, method, path, deprecation }) =>
        `<li><a href="/api/docs/operations/${id}"><span class="method ${method.toLowerCase()}">${method}</span> <strong>${escapeHtml(summary)}</strong> <code>${escapeHtml(path)}</code>${deprecation === undefined ? '' : ' <em>deprecated</em>'}</a></li>`,
    )
    .join('\n')}</ul>`;
