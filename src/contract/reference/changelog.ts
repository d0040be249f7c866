// The changelog of the contract, as Markdown for the reference and as an RSS feed.
import { escapeHtml, htmlOf } from './markdown-html.ts';

/** One version. Its lists are made by comparing contracts, in Markdown. */
export interface ChangelogVersion {
  version: string;
  /** The day of its publication. */
  date: string;
  summary: string;
  /** Changes that no list shows: the contract's form is the same, and the platform behaves differently. */
  behavior?: readonly string[];
  added: readonly string[];
  changed: readonly string[];
  deprecated: readonly string[];
  removed: readonly string[];
}

const lists = [
  ['behavior', 'Behavior'],
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['deprecated', 'Deprecated'],
  ['removed', 'Removed'],
] as const;

export const changelogMarkdown = (versions: readonly ChangelogVersion[]): string =>
  `# API changelog

Every version of the contract, newest first. The [API policy](/api/docs/guides/api-policy) says what can change and with
how much notice. Also as [JSON](/api/changelog.json) and as an [RSS feed](/api/changelog.rss).

${versions.map((each) => `## ${each.version}\n\n${each.date}. ${contentOf(each)}`).join('\n\n')}
`;

function contentOf(entry: ChangelogVersion): string {
  const sections = lists.flatMap(([name, title]) => {
    const lines = entry[name] ?? [];
    return lines.length === 0 ? [] : [`**${title}**\n\n${lines.map((line) => `- ${line}`).join('\n')}`];
  });
  return [entry.summary, ...sections].join('\n\n');
}

export function changelogRss(
  versions: readonly ChangelogVersion[],
  { title, baseUrl }: { title: string; baseUrl: string },
): string {
  const page = `${baseUrl}/api/changelog`;
  const items = versions.map((entry) => {
    const address = `${page}#${entry.version.replaceAll('.', '-')}`;
    return `<item>
<title>${escapeHtml(`${title} ${entry.version}`)}</title>
<link>${escapeHtml(address)}</link>
<guid isPermaLink="false">${escapeHtml(`${title} ${entry.version}`)}</guid>
<pubDate>${new Date(`${entry.date}T00:00:00Z`).toUTCString()}</pubDate>
<description>${escapeHtml(htmlOf(contentOf(entry)))}</description>
</item>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeHtml(`${title}: changelog`)}</title>
<link>${escapeHtml(page)}</link>
<atom:link href="${escapeHtml(`${page}.rss`)}" rel="self" type="application/rss+xml"/>
<description>${escapeHtml(`Versions of the contract of the ${title}.`)}</description>
<language>en</language>
${items.join('\n')}
</channel>
</rss>
`;
}
