// A state as a coloured dot and text, so that neither is the only sign.
import type { ReactNode } from 'react';
import classes from './state-text.module.css';
import type { Tone } from './tone.ts';

export type { Tone };

export function StateText({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.state} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  );
}
