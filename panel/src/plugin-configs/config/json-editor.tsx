// The settings as JSON. What is valid is taken over at once; what is not is explained and stays here.
import { Alert } from '@mantine/core';
import { json } from '@codemirror/lang-json';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { useEffect, useRef, useState } from 'react';
import { styleNonce } from '../../shared/style-nonce.ts';
import { useTexts } from '../../texts/texts.ts';
import { isObject, isSame, type Json, type JsonObject } from '../schema/data.ts';
import classes from './config.module.css';

interface JsonEditorProps {
  data: JsonObject;
  onData: (data: JsonObject) => void;
  isReadOnly: boolean;
}

/** Colours of the style sheet, which follow the scheme, in the place of those that suit white pages only. */
const highlight = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => ({
    ...spec,
    ...(typeof color === 'string' && { color: `var(--code-${color.slice(1)}, currentColor)` }),
  })),
);

export function JsonEditor({ data, onData, isReadOnly }: JsonEditorProps) {
  const t = useTexts('plugin-configs');
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const change = useRef(onData);
  const current = useRef(data);
  useEffect(() => {
    change.current = onData;
    current.current = data;
  });
  const label = t('json.label');
  useEffect(() => {
    if (box.current === null) return undefined;
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: textOf(current.current),
        extensions: [
          basicSetup,
          json(),
          syntaxHighlighting(highlight),
          EditorView.cspNonce.of(styleNonce()),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorState.readOnly.of(isReadOnly),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            const read = parsed(state.doc.toString());
            if (read.fault !== undefined) return setFault(read.fault);
            setFault(null);
            if (read.data !== undefined && !isSame(read.data, current.current)) change.current(read.data);
          }),
        ],
      }),
    });
    // Long settings are scrolled by keyboard, too.
    editor.scrollDOM.tabIndex = 0;
    view.current = editor;
    return () => editor.destroy();
  }, [isReadOnly, label]);
  // Changes from elsewhere, such as discarding: what is typed here means the same settings and stays.
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const read = parsed(editor.state.doc.toString());
    if (read.fault !== undefined || isSame(read.data, data)) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: textOf(data) } });
  }, [data]);
  return (
    <div className="stack">
      <p className="hint">{t('json.lead')}</p>
      {fault !== null && (
        <Alert color="red" role="alert" title={t('json.fault')}>
          {fault === '' ? t('json.notObject') : fault}
        </Alert>
      )}
      <div ref={box} className={classes.code} />
    </div>
  );
}

const textOf = (data: JsonObject): string => JSON.stringify(data, null, 2);

function parsed(text: string): { data?: JsonObject; fault?: string } {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? { data: value } : { fault: '' };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
