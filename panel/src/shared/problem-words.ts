// The words for failures that have no problem of the platform.
import { useMemo } from 'react';
import type { FallbackWords } from '../api/problem.ts';
import { useTexts } from '../texts/texts.ts';

export function useProblemWords(): FallbackWords {
  const t = useTexts('common');
  return useMemo(
    () => ({
      unreachable: { title: t('problem.unreachable.title'), detail: t('problem.unreachable.detail') },
      invalid: { title: t('problem.invalid.title'), detail: t('problem.invalid.detail') },
      unexpected: (status) => ({
        title: t('problem.unexpected.title'),
        detail: t('problem.unexpected.detail', { status }),
      }),
      fault: { title: t('problem.fault.title'), detail: t('problem.fault.detail') },
    }),
    [t],
  );
}
