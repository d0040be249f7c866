// The control for one text, which has several rows if the text has lines or may be long.
import { Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';

interface TextFieldProps {
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  disabled: boolean;
  error: ReactNode;
  size: 'sm';
  placeholder: string;
  value: string;
  maxLength: number | undefined;
  onChange: (text: string) => void;
}

/** Longer texts are rarely a single line. */
const maxLineLength = 200;
const maxRows = 8;

export function TextField({ value, maxLength, onChange, ...input }: TextFieldProps) {
  // A field keeps its rows while it is typed in, so that the last line break can be removed.
  const [hasHadLines, setHasHadLines] = useState(false);
  const hasLines = /[\r\n]/.test(value);
  if (hasLines && !hasHadLines) setHasHadLines(true);
  const control = {
    ...input,
    ...(maxLength !== undefined && { maxLength }),
    value,
    spellCheck: false,
  };
  if (!hasLines && !hasHadLines && (maxLength ?? 0) <= maxLineLength)
    return <TextInput {...control} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <Textarea
      {...control}
      autosize
      minRows={1}
      maxRows={maxRows}
      onChange={(event) => onChange(withBreaksOf(value, event.currentTarget.value))}
    />
  );
}

/** Browsers give every line break as a line feed; files from Windows keep theirs. */
export const withBreaksOf = (former: string, text: string): string =>
  former.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
