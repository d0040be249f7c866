// A fault of a request in the language of the panel.
import type { Problem } from '@gantry/client';
import i18next from 'i18next';

type Fault = NonNullable<Problem['errors']>[number];

const plain = ['additionalProperties', 'const', 'enum', 'pattern', 'required', 'uniqueItems'] as const;
const counts = ['maxItems', 'maxLength', 'maxProperties', 'minItems', 'minLength', 'minProperties'] as const;
const bounds = ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'] as const;
const formats = [
  'date',
  'date-time',
  'display-name',
  'email',
  'plain-text',
  'steam-id',
  'uri',
  'uuid',
] as const;
const types = ['boolean', 'integer', 'number', 'string'] as const;

/** Faults outside the schema, and keywords of later versions, have the platform's own words. */
export function faultText({ keyword, limit = '', detail }: Fault): string {
  const { t, language } = i18next;
  const named = plain.find((each) => each === keyword);
  if (named !== undefined) return t(`faults.${named}`);
  const count = counts.find((each) => each === keyword);
  if (count !== undefined) return t(`faults.${count}`, { count: Number(limit) });
  const bound = bounds.find((each) => each === keyword);
  if (bound !== undefined) return t(`faults.${bound}`, { limit: Number(limit).toLocaleString(language) });
  if (keyword === 'format') {
    const format = formats.find((each) => each === limit);
    return t(format === undefined ? 'faults.format' : `faults.formats.${format}`);
  }
  if (keyword === 'type') {
    const type = types.find((each) => limit.split(',').includes(each));
    return t(type === undefined ? 'faults.type' : `faults.types.${type}`);
  }
  return detail;
}
