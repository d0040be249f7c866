// An editor for the text of a file.
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import classes from './editor.module.css';
import { extensionsFor, type EditorSettings } from './extensions.ts';

interface CodeEditorProps {
  value: string;
  /** Read when the editor is made; another key makes another one. */
  settings: EditorSettings;
  onChange: (value: string) => void;
  onSave: () => void;
}

export function CodeEditor({ value, settings, onChange, onSave }: CodeEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const first = useRef({ value, settings });
  const latest = useRef({ onChange, onSave });
  latest.current = { onChange, onSave };
  useEffect(() => {
    const created = new EditorView({
      parent: box.current ?? document.body,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          Prec.highest(keymap.of([{ key: 'Mod-s', run: () => (latest.current.onSave(), true) }])),
          extensionsFor(first.current.settings),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.sliceDoc());
          }),
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, []);
  useEffect(() => {
    const shown = view.current;
    if (shown === null || shown.state.sliceDoc() === value) return;
    // Another user's text, or the stored one after changes were discarded.
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: shown.state.toText(value) } });
  }, [value]);
  return <div ref={box} className={classes.editor} />;
}
