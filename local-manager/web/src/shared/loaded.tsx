// Shows loaded data, its loading state, or the error.
import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';

interface Asked<T> {
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  asked: Asked<T>;
  /** The name of the awaited data, for screen readers. */
  waitingFor: string;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({
  asked: { data, error, isFetching, refetch },
  waitingFor,
  children,
}: LoadedProps<T>) {
  if (data === undefined && error !== null && !isFetching) {
    return <ProblemAlert error={error} retry={() => void refetch()} />;
  }
  if (data === undefined) {
    return (
      <Stack gap="sm" role="status" aria-label={`Waiting for ${waitingFor}`}>
        <Skeleton height={18} width="60%" />
        <Skeleton height={18} width="85%" />
        <Skeleton height={18} width="40%" />
      </Stack>
    );
  }
  return (
    <>
      {error !== null && <ProblemAlert error={error} retry={() => void refetch()} />}
      {children(data)}
    </>
  );
}
