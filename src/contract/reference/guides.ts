// Reads the guides that are shown beside the reference: Markdown files of one folder.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface GuideFolder {
  directory: string;
  /** Names of files without `.md`, in the order of the navigation. Files that are not listed follow by name. */
  first: readonly string[];
  /** Files for the maintainers, which are not shown. */
  hidden: readonly string[];
}

export interface Guide {
  name: string;
  title: string;
  markdown: string;
}

export async function readGuides({ directory, first, hidden }: GuideFolder): Promise<Guide[]> {
  const names = (await readdir(directory))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3));
  const missing = first.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${directory} lacks the guides ${missing.join(', ')}`);
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const shown = names
    .filter((name) => !hidden.includes(name))
    .toSorted((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
  return Promise.all(
    shown.map(async (name) => {
      const markdown = await readFile(join(directory, `${name}.md`), 'utf8');
      return { name, title: titleOf(markdown) ?? name, markdown };
    }),
  );
}

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '');

/** Where a link of a guide leads on the site. Files of the repository that are not shown have no address. */
export function guideLink(target: string, names: readonly string[]): string | undefined {
  if (/^(https?:|\/|#)/.test(target)) return target;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(target) ?? [];
  return names.includes(name) ? `/api/docs/guides/${name}${anchor}` : undefined;
}

/** The Markdown with links that lead somewhere on the site; files that are not shown are named without a link. */
export const withSiteLinks = (markdown: string, names: readonly string[]): string =>
  markdown.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (_link, text: string, target: string) => {
    const found = guideLink(target, names);
    if (found === undefined) return text;
    return `[${text}](${found.replace(/^(\/api\/docs\/guides\/[\w-]+)/, '$1.md')})`;
  });
