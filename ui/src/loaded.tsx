// Shows loaded data, its loading state, or the error.
import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from './words.tsx';

export interface Asked<T> {
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  asked: Asked<T>;
  /** The name of the awaited data, for screen readers. */
  waitingFor: string;
  /** Shown until the data is there, in its shape. */
  skeleton?: ReactNode;
  renderError: (error: Error, retry: () => void) => ReactNode;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ asked, waitingFor, skeleton, renderError, children }: LoadedProps<T>) {
  const words = useWords();
  const { data, error, isFetching, refetch } = asked;
  const retry = () => void refetch();
  if (data === undefined && error !== null && !isFetching) return renderError(error, retry);
  if (data === undefined) {
    return (
      <div role="status" aria-label={words.waitingFor(waitingFor)}>
        {skeleton ?? (
          <Stack gap="sm">
            <Skeleton height={18} width="60%" />
            <Skeleton height={18} width="85%" />
            <Skeleton height={18} width="40%" />
          </Stack>
        )}
      </div>
    );
  }
  return (
    <>
      {error !== null && renderError(error, retry)}
      {children(data)}
    </>
  );
}
