// JSON to read and copy, with its parts coloured.
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { useMemo } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './json-text.module.css';

interface JsonTextProps {
  /** A value, or JSON as text; other text is shown as it is. */
  value: unknown;
  /** The name of the text, for screen readers. */
  label: string;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

export function JsonText({ value, label }: JsonTextProps) {
  const t = useTexts('common');
  const text = useMemo(() => indented(value), [value]);
  return (
    <div className={classes.box}>
      <div className={classes.copy}>
        <CopyText text={text}>{t('actions.copy')}</CopyText>
      </div>
      <pre className={classes.text} tabIndex={0} role="group" aria-label={label}>
        {partsOf(text).map(({ kind, part }, index) => (
          <span key={index} data-kind={kind}>
            {part}
          </span>
        ))}
      </pre>
    </div>
  );
}

function indented(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

interface Part {
  kind: 'plain' | 'name' | 'string' | 'word' | 'number';
  part: string;
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > end) parts.push({ kind: 'plain', part: text.slice(end, match.index) });
    const [whole, string, colon, word] = match;
    const kind = string === undefined ? (word === undefined ? 'number' : 'word') : 'string';
    parts.push({ kind: colon === undefined ? kind : 'name', part: whole });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ kind: 'plain', part: text.slice(end) });
  return parts;
}
