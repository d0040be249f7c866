// What only a running game server knows: shown while it can be asked.
import { PowerOff, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { hasCode } from '../api/problem.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { useTexts } from '../texts/texts.ts';
import { useInstance } from './use-instance.ts';

interface AskingTheGameProps {
  /** The error of asking, if it was asked. */
  error: Error | null;
  /** Why it is not there, such as "Players are listed by the running game server." */
  why: string;
  /** Why some game servers do not support it. */
  whyNot: string;
  children: ReactNode;
}

/** Shows its children while the game server can be asked, otherwise what is missing. */
export function AskingTheGame({ error, why, whyNot, children }: AskingTheGameProps) {
  const t = useTexts('instance');
  const { data: instance } = useInstance();
  if (instance?.state !== 'running' || hasCode(error, 'instance_not_running'))
    return (
      <EmptyState icon={PowerOff} title={t('notRunning.title')}>
        {why}
      </EmptyState>
    );
  if (hasCode(error, 'not_supported'))
    return (
      <EmptyState icon={Unplug} title={t('notSupported.title')}>
        {whyNot}
      </EmptyState>
    );
  return children;
}

export const useIsRunning = (): boolean => useInstance().data?.state === 'running';
