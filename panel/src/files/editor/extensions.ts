// What every editor of files has: its look in both schemes, and the language of the file.
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { styleNonce } from '../../shared/style-nonce.ts';

export type FileLanguage = 'json' | 'yaml' | 'plain';

export function languageOf(name: string): FileLanguage {
  if (/\.(json|map\.json|jsonc)$/i.test(name)) return 'json';
  return /\.(ya?ml)$/i.test(name) ? 'yaml' : 'plain';
}

const languages: Record<FileLanguage, Extension> = { json: json(), yaml: yaml(), plain: [] };

/** The colours are variables, which differ between the schemes. */
const look = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '13px',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--page-surface)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--page-quiet)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--page-border)',
  },
  '.cm-activeLine': {
    backgroundColor: 'color-mix(in srgb, var(--page-accent) 7%, transparent)',
  },
  '.cm-activeLineGutter': { backgroundColor: 'var(--page-accent-quiet)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--page-accent) 26%, transparent)',
  },
  '.cm-panels': { backgroundColor: 'var(--page-quiet)', color: 'var(--mantine-color-text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--page-border)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--page-border)' },
  '.cm-panel.cm-search': { padding: '8px 34px 8px 12px', fontSize: '13px' },
  '.cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-panel.cm-search [name=close]': { top: '6px', right: '10px', fontSize: '18px', color: 'inherit' },
  '.cm-textfield': {
    padding: '4px 8px',
    fontSize: '13px',
    backgroundColor: 'var(--page-surface)',
    border: '1px solid var(--page-border)',
    borderRadius: '6px',
  },
  '.cm-button': {
    padding: '4px 10px',
    fontSize: '13px',
    color: 'inherit',
    backgroundImage: 'none',
    backgroundColor: 'var(--page-surface)',
    border: '1px solid var(--page-border)',
    borderRadius: '6px',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--page-quiet)',
    border: '1px solid var(--page-border)',
    color: 'var(--mantine-color-dimmed)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--page-surface)', border: '1px solid var(--page-border)' },
  '.cm-changedLine': {
    backgroundColor: 'color-mix(in srgb, var(--state-busy) 12%, transparent) !important',
  },
  '.cm-deletedChunk': { backgroundColor: 'color-mix(in srgb, var(--state-bad) 12%, transparent)' },
  '.cm-insertedLine': { backgroundColor: 'color-mix(in srgb, var(--state-good) 12%, transparent)' },
  '.cm-collapsedLines': {
    backgroundImage: 'none',
    backgroundColor: 'var(--page-quiet)',
    color: 'var(--mantine-color-dimmed)',
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-name)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--code-value)' },
  { tag: [tags.comment, tags.meta], color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--state-bad)' },
]);

export interface EditorSettings {
  /** The name of the editor, for screen readers. */
  label: string;
  language: FileLanguage;
  isReadOnly: boolean;
  /** Texts of the editor's own parts, such as its search, by their English words. */
  phrases: Record<string, string>;
  /** How the file ends its lines; anything else in the text stays as it is. */
  lineSeparator: string;
}

export const extensionsFor = (settings: EditorSettings): Extension[] => [
  EditorView.cspNonce.of(styleNonce()),
  EditorState.phrases.of(settings.phrases),
  EditorState.lineSeparator.of(settings.lineSeparator),
  EditorState.readOnly.of(settings.isReadOnly),
  EditorView.editable.of(!settings.isReadOnly),
  EditorView.contentAttributes.of({
    'aria-label': settings.label,
    // What cannot be edited can be scrolled by keyboard nevertheless.
    ...(settings.isReadOnly && { tabindex: '0' }),
  }),
  EditorView.lineWrapping,
  basicSetup,
  languages[settings.language],
  syntaxHighlighting(colours),
  look,
];

/** Windows line ends are kept where every line has them. */
export const lineSeparatorOf = (text: string): string =>
  text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
