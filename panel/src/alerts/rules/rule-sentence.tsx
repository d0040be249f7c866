// The condition of a rule as a sentence, with its figures in their places.
import { Fragment, type ReactNode } from 'react';
import { useTexts } from '../../texts/texts.ts';
import type { FieldName, RuleKind } from './rule-fields.ts';
import classes from './rules.module.css';

const names: readonly FieldName[] = [
  'minimum_version',
  'seconds',
  'percent',
  'after_minutes',
  'fps',
  'window_minutes',
  'min_players',
];

interface RuleSentenceProps {
  kind: RuleKind;
  /** What stands in the place of a figure. */
  place: (name: FieldName) => ReactNode;
}

export function RuleSentence({ kind, place }: RuleSentenceProps) {
  const t = useTexts('alerts');
  const marks = Object.fromEntries(names.map((name) => [name, `\n${name}\n`])) as Record<FieldName, string>;
  const parts = t(`rules.sentences.${kind}`, marks).split('\n');
  return (
    <div className={classes.sentence}>
      {parts.map((part, index) => {
        const name = names.find((each) => each === part);
        return (
          <Fragment key={index}>{name === undefined ? <span>{part.trim()}</span> : place(name)}</Fragment>
        );
      })}
    </div>
  );
}
