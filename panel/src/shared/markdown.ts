// Reads the Markdown of release notes as blocks and spans, which are shown as elements; HTML stays text.
export type Span =
  { kind: 'text' | 'code' | 'strong' | 'em'; text: string } | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'heading' | 'paragraph' | 'quote'; spans: Span[] }
  | { kind: 'list'; isOrdered: boolean; items: Span[][] }
  | { kind: 'code'; text: string };

const item = /^\s*(?:([-*+])|\d{1,9}[.)])\s+(.*)$/;
const heading = /^#{1,6}\s+(.*?)\s*#*\s*$/;
const fence = /^\s*(?:```|~~~)/;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const take = (isTaken: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && isTaken(line); line = lines[++at]) taken.push(line);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') at++;
    else if (fence.test(line)) {
      at++;
      blocks.push({ kind: 'code', text: take((next) => !fence.test(next)).join('\n') });
      at++;
    } else if (heading.test(line)) {
      at++;
      blocks.push({ kind: 'heading', spans: spansOf(heading.exec(line)?.[1] ?? '') });
    } else if (item.test(line)) blocks.push(listOf(take((next) => next.trim() !== '')));
    else if (/^\s*>/.test(line)) {
      const quoted = take((next) => /^\s*>/.test(next)).map((next) => next.replace(/^\s*>\s?/, ''));
      blocks.push({ kind: 'quote', spans: spansOf(quoted.join(' ')) });
    } else {
      const text = take((next) => next.trim() !== '' && !startsBlock(next));
      blocks.push({ kind: 'paragraph', spans: spansOf(text.join(' ')) });
    }
  }
  return blocks;
}

const startsBlock = (line: string): boolean =>
  fence.test(line) || heading.test(line) || item.test(line) || /^\s*>/.test(line);

/** Lines without a mark continue the entry before them. */
function listOf(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    const text = item.exec(line)?.[2];
    if (text === undefined) items.push(`${items.pop() ?? ''} ${line.trim()}`);
    else items.push(text);
  }
  return {
    kind: 'list',
    isOrdered: item.exec(lines[0] ?? '')?.[1] === undefined,
    items: items.map(spansOf),
  };
}

const span =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\b_([^_\s][^_]*)_\b|\[([^\]]+)\]\((\S+?)\)/g;

export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(span)) {
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) });
    spans.push(spanOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) });
  return spans;
}

function spanOf([whole, code, stars, lines, star, line, label, href]: RegExpExecArray): Span {
  if (code !== undefined) return { kind: 'code', text: code };
  const strong = stars ?? lines;
  if (strong !== undefined) return { kind: 'strong', text: strong };
  const em = star ?? line;
  if (em !== undefined) return { kind: 'em', text: em };
  // Other schemes could run a script.
  if (label !== undefined && href !== undefined && /^https?:\/\//.test(href))
    return { kind: 'link', text: label, href };
  return { kind: 'text', text: label ?? whole };
}
