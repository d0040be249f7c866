// What someone else has saved beside the own text, which can still be edited.
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import classes from './editor.module.css';
import { extensionsFor, type EditorSettings } from './extensions.ts';

interface DifferenceProps {
  theirs: string;
  mine: string;
  settings: EditorSettings;
  theirLabel: string;
  onChange: (mine: string) => void;
}

/** Narrower windows show both texts in one. */
const sideBySide = '(min-width: 900px)';
const collapse = { margin: 3, minSize: 6 };

export function Difference({ theirs, mine, settings, theirLabel, onChange }: DifferenceProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef({ mine, settings, onChange });
  latest.current = { mine, settings, onChange };
  useEffect(() => {
    const parent = box.current ?? document.body;
    const { mine: text, settings: own } = latest.current;
    const editable = [
      extensionsFor(own),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) latest.current.onChange(state.sliceDoc());
      }),
    ];
    if (!window.matchMedia(sideBySide).matches) {
      const unified = unifiedMergeView({
        original: theirs,
        collapseUnchanged: collapse,
        mergeControls: false,
      });
      const view = new EditorView({
        parent,
        state: EditorState.create({ doc: text, extensions: [editable, unified] }),
      });
      return () => view.destroy();
    }
    const view = new MergeView({
      parent,
      a: { doc: theirs, extensions: extensionsFor({ ...own, label: theirLabel, isReadOnly: true }) },
      b: { doc: text, extensions: editable },
      collapseUnchanged: collapse,
      revertControls: 'a-to-b',
    });
    return () => view.destroy();
  }, [theirs, theirLabel]);
  return <div ref={box} className={classes.difference} />;
}
