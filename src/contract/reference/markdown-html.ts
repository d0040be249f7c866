// Renders our own Markdown as HTML: headings have anchors, raw HTML is shown as text.
import { Marked, type Tokens } from 'marked';
import { slugOf } from './catalogue.ts';

/** `linkTo` maps the target of each link to its address on the site; undefined leaves only the text of the link. */
export function htmlOf(
  markdown: string,
  linkTo: (target: string) => string | undefined = (target) => target,
): string {
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const anchor = slugOf(text);
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = linkTo(href);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      code({ text, lang }: Tokens.Code) {
        const language = lang === undefined || lang === '' ? '' : ` data-language="${escapeHtml(lang)}"`;
        return `<pre tabindex="0"${language}><code>${escapeHtml(text)}\n</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: 'td' | 'th') =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0"><table>\n<thead><tr>${cells(token.header, 'th')}</tr></thead>\n<tbody>\n${rows}\n</tbody></table></div>\n`;
      },
      image: ({ text }: Tokens.Image) => escapeHtml(text),
    },
  });
  return marked.parse(markdown, { async: false });
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
