// One of a few choices, each with a sentence about it.
import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './choice-cards.module.css';

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  detail?: ReactNode;
  isDisabled?: boolean;
}

interface ChoiceCardsProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
}

export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { label, value, choices, onChange } = props;
  const name = useId();
  return (
    <fieldset className={classes.choices}>
      <legend>{label}</legend>
      <div className={classes.cards}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.card}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.isDisabled === true}
              aria-label={choice.label}
              onChange={() => onChange(choice.value)}
            />
            <span className={classes.words}>
              <span className={classes.label}>{choice.label}</span>
              {choice.detail !== undefined && <span className={classes.detail}>{choice.detail}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
