// Templates of notifications: text with fields from a fixed list.
import Mustache from 'mustache';
import { invalidField } from '../../errors.ts';

export const templateFields = [
  'title',
  'message',
  'status',
  'severity',
  'kind',
  'subject',
  'host',
  'license',
  'raised_at',
  'ended_at',
  'alert_id',
] as const;

export type TemplateField = (typeof templateFields)[number];
export type TemplateValues = Readonly<Record<TemplateField, string>>;

type Piece = { text: string } | { field: TemplateField };

/** Fills in the fields of the template. Values are never parsed as templates. */
export function fill(template: string, values: TemplateValues): string {
  return piecesOf(template)
    .map((piece) => ('text' in piece ? piece.text : values[piece.field]))
    .join('');
}

/** Throws unless the template is valid and can produce text. */
export function refuseTemplate(template: string | null | undefined, pointer = '/template'): void {
  if (template === null || template === undefined) return;
  try {
    const pieces = piecesOf(template);
    if (pieces.every(isBlank)) throw new Error('would be an empty message');
  } catch (error) {
    const detail = Error.isError(error) ? error.message : 'is not a valid template';
    throw invalidField({ in: 'body', pointer, detail });
  }
}

/** An open alert has no end time, so `ended_at` alone would be an empty message. */
const isBlank = (piece: Piece) => ('text' in piece ? piece.text.trim() === '' : piece.field === 'ended_at');

function piecesOf(template: string): Piece[] {
  // A new writer each time: the shared one caches every template that it has ever parsed.
  const tokens = new Mustache.Writer().parse(template) as [type: string, value: string][];
  return tokens.map(([type, value]): Piece => {
    if (type === 'text') return { text: value };
    const field = templateFields.find((name) => name === value);
    if (type !== 'name' || field === undefined) throw new Error(`has {{${value}}}, which is not a field`);
    return { field };
  });
}
