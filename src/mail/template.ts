// Renders a template with its values; templates have no logic, and values are never read as templates.

import { forPlainText } from '../text/neutral-text.ts';

/** A message whose texts contain placeholders `{{name}}`. */
export interface Template<Name extends string = string> {
  /** The names of all placeholders. */
  values: readonly Name[];
  /**
   * Values that are our own, already neutralized, or the receiver's own address. All others are reduced to plain text.
   */
  asIs?: readonly Name[];
  /** The names in `asIs` whose values have several lines. */
  lists?: readonly Name[];
  subject: string;
  paragraphs: readonly string[];
  /** A link to one of our pages; the value of that name is its complete URL. */
  link?: { label: string; value: Name };
  /** The page that the message links to, with the value `token` in its fragment; optional. */
  page?: { path: string; label: string };
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** Throws if a value is missing, or if the template uses a name that is not in its list. */
export function render(
  template: Template,
  values: Readonly<Record<string, string>>,
  publicUrl: string,
): RenderedMail {
  const { asIs = [], lists = [] } = template;
  const shown = (name: string) => {
    const value = valueOf(values, name);
    if (lists.includes(name)) return value.split('\n').map(onOneLine).join('\n');
    return asIs.includes(name) ? onOneLine(value) : forPlainText(value);
  };
  const known = new Map(template.values.map((name) => [name, shown(name)]));
  const link = linkOf(template, values, publicUrl);
  const paragraphs = template.paragraphs.map((paragraph) => fill(paragraph, known));
  return {
    subject: fill(template.subject, known),
    text: [...paragraphs.slice(0, 1), ...(link ? [`${link.label}: ${link.url}`] : []), ...paragraphs.slice(1)]
      .map((paragraph) => `${paragraph}\n`)
      .join('\n'),
    html: htmlOf(paragraphs, link),
  };
}

function linkOf(
  { page, link }: Template,
  values: Readonly<Record<string, string>>,
  publicUrl: string,
): { label: string; url: string } | undefined {
  if (link !== undefined) return { label: link.label, url: valueOf(values, link.value) };
  if (page === undefined) return undefined;
  const token = encodeURIComponent(valueOf(values, 'token'));
  return { label: page.label, url: `${publicUrl}${page.path}#${token}` };
}

function fill(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the template names ${name}, which is not in its list`);
    return value;
  });
}

function valueOf(values: Readonly<Record<string, string>>, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`the message needs the value ${name}`);
  return value;
}

/** Names are user input: none of their lines may pass for one of ours. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

function htmlOf([first = '', ...others]: string[], link: { label: string; url: string } | undefined): string {
  const paragraph = (text: string) => `<p>${escaped(text).replaceAll('\n', '<br>\n')}</p>`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<body style="font: 16px/1.5 sans-serif; max-width: 36em">',
    paragraph(first),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`] : []),
    ...others.map(paragraph),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
