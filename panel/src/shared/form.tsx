// A form: its fields under each other, the problem of its last sending, and its buttons.
import { Button } from '@mantine/core';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import classes from './form.module.css';
import { ProblemAlert } from './problem-alert.tsx';

interface FormProps {
  onSubmit: (event: React.FormEvent<HTMLFormElement>) => void;
  submit: string;
  isPending: boolean;
  error: Error | null;
  /** JSON pointers of the fields that show their own faults. */
  fields?: readonly string[];
  /** Full-width buttons suit narrow cards. */
  isNarrow?: boolean;
  isDisabled?: boolean;
  /** Why the button is disabled. */
  disabledReason?: string;
  /** Keeps the buttons of a long form in sight. */
  isLong?: boolean;
  /** Other actions, beside the button. */
  others?: ReactNode;
  children: ReactNode;
}

export function Form(props: FormProps) {
  const {
    onSubmit,
    submit,
    isPending,
    error,
    fields,
    isNarrow = false,
    isDisabled,
    disabledReason,
    isLong = false,
    others,
    children,
  } = props;
  const isExplained = isDisabled === true && disabledReason !== undefined;
  const reasonId = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The field may be far above the button that was pressed.
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        const unfinished = unfinishedIn(event.currentTarget);
        if (unfinished === undefined) return onSubmit(event);
        event.preventDefault();
        unfinished.focus();
      }}
    >
      {children}
      <ProblemAlert error={error} {...(fields !== undefined && { fields })} />
      <div className={classes.actions} data-long={isLong || undefined}>
        <Button
          type="submit"
          loading={isPending}
          fullWidth={isNarrow}
          disabled={isDisabled === true}
          {...(isExplained && { 'aria-describedby': reasonId })}
        >
          {submit}
        </Button>
        {others}
        {isExplained && (
          <span id={reasonId} className="hint">
            {disabledReason}
          </span>
        )}
      </div>
    </form>
  );
}

/** The first field that says of itself that it cannot be sent. */
const unfinishedIn = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.elements]
    .filter((element) => element instanceof HTMLInputElement)
    .find(({ validity }) => validity.customError);
