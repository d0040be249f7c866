// A value to copy, such as a command or a token: shown completely, with a button beside it.
import { CopyText } from './copy-text.tsx';
import classes from './copy-field.module.css';

interface CopyFieldProps {
  value: string;
  /** The name of the value, for screen readers. */
  label: string;
  action: string;
}

export function CopyField({ value, label, action }: CopyFieldProps) {
  return (
    <div className={classes.field} role="group" aria-label={label}>
      <pre className={classes.value} tabIndex={0}>
        {value}
      </pre>
      <div className={classes.action}>
        <CopyText text={value}>{action}</CopyText>
      </div>
    </div>
  );
}
