// Some choices, each with a sentence.
import { useId } from 'react';
import classes from './create.module.css';

interface ChoicesProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; name: string; detail: string }[];
  onChoose: (value: Value) => void;
}

export function Choices<Value extends string>({ label, value, choices, onChoose }: ChoicesProps<Value>) {
  const name = useId();
  return (
    <div className={classes.choices} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={classes.choice}
          data-chosen={choice.value === value || undefined}
        >
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span>
            <span className={classes.kindName}>{choice.name}</span>
            <span className="hint">{choice.detail}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
