// Shows loaded data, its loading state, or the manager's error.
import { Loaded as SharedLoaded, type Asked } from '@gantry/ui/loaded.tsx';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';

interface LoadedProps<T> {
  asked: Asked<T>;
  /** The name of the awaited data, for screen readers. */
  waitingFor: string;
  children: (data: T) => ReactNode;
}

export function Loaded<T>(props: LoadedProps<T>) {
  return (
    <SharedLoaded {...props} renderError={(error, retry) => <ProblemAlert error={error} retry={retry} />} />
  );
}
