// Detects the layout of a document, and writes new parts in it.
import type { Edit } from './edits.ts';
import type { Wanted } from './wanted-parts.ts';

/** How a document is laid out. */
export interface Layout {
  eol: string;
  indent: string;
}

/** Replaces blanks, and follows comments. */
export function firstValue(text: string, value: string, { eol }: Layout): Edit {
  const offset = text.trimEnd().length;
  const comments = offset === 0 ? '' : eol;
  return { offset, length: text.length - offset, text: `${comments}${value}${eol}` };
}

export function layoutOf(text: string): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { eol, indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ' };
}

export function written(wanted: Wanted, layout: Layout, margin: string): string {
  if (wanted.is === 'value') return wanted.json;
  const inner = margin + layout.indent;
  const parts =
    wanted.is === 'object'
      ? [...wanted.entries, ...(wanted.missing ?? []), ...(wanted.ifNew ?? [])].map(
          ([key, value]) => `${JSON.stringify(key)}: ${written(value, layout, inner)}`,
        )
      : wanted.items.map((value) => written(value, layout, inner));
  const [open, close] = wanted.is === 'object' ? '{}' : '[]';
  if (parts.length === 0) return `${open}${close}`;
  const { eol } = layout;
  return `${open}${eol}${inner}${parts.join(`,${eol}${inner}`)}${eol}${margin}${close}`;
}
