// Names and values, side by side.
import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div className={classes.fact} key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? breakable(value) : (value ?? '–')}</dd>
        </div>
      ))}
    </dl>
  );
}

/** E-mail addresses break behind their "@", not within a word. */
const breakable = (text: string): ReactNode =>
  text.split(/(?<=@)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
