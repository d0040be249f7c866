// Shows loaded data, its loading state in the same shape, or why it cannot be shown.
import { Loaded as SharedLoaded, type Asked } from '@gantry/ui/loaded.tsx';
import { useLocation } from '@tanstack/react-router';
import { Lock, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { OtherLicenses } from '../session/other-licenses.tsx';
import { useTexts } from '../texts/texts.ts';
import { EmptyState } from './empty-state.tsx';
import { ProblemAlert } from './problem-alert.tsx';

interface LoadedProps<T> {
  asked: Asked<T>;
  /** The name of the awaited data, for screen readers. */
  waitingFor: string;
  skeleton?: ReactNode;
  /** Whether nothing else is on the page. */
  isPage?: boolean;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ isPage = false, ...props }: LoadedProps<T>) {
  return (
    <SharedLoaded
      {...props}
      renderError={(error, retry) => <Failure error={error} retry={retry} isPage={isPage} />}
    />
  );
}

interface FailureProps {
  error: Error;
  retry: () => void;
  isPage?: boolean;
}

/** A refusal in words; any other error with its details and another attempt. */
export function Failure({ error, retry, isPage = false }: FailureProps) {
  const t = useTexts('common');
  const problem = problemOf(error);
  const status = problem?.status;
  if (status === 403) return <Refusal isPage={isPage} />;
  // An id in the address that is none names nothing.
  const faults = problem?.errors ?? [];
  const isOfAddress = faults.length > 0 && faults.every(({ in: place }) => place === 'path');
  if (status === 404 || isOfAddress)
    return (
      <EmptyState
        isPage={isPage}
        icon={SearchX}
        title={t('gone.title')}
        {...(isPage && status === 404 && { action: <OtherLicenses /> })}
      >
        {t('gone.detail')}
      </EmptyState>
    );
  return <ProblemAlert error={error} retry={retry} />;
}

/** What the user may not see. */
export function Refusal({ isPage }: { isPage: boolean }) {
  const t = useTexts('common');
  // No role of a license includes pages of the platform.
  const isOfPlatform = useLocation({ select: ({ pathname }) => pathname.startsWith('/platform') });
  return (
    <EmptyState isPage={isPage} icon={Lock} title={t('refused.title')}>
      {t(isOfPlatform ? 'refused.ofPlatform' : 'refused.detail')}
    </EmptyState>
  );
}
