// Gives the shared parts their words in the language of the panel.
import { WordsProvider } from '@gantry/ui/words.tsx';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.ts';

export function UiWords({ children }: { children: ReactNode }) {
  const t = useTexts('common');
  return (
    <WordsProvider
      value={{
        cancel: t('actions.cancel'),
        close: t('actions.close'),
        closeDialog: t('actions.closeDialog'),
        copied: t('copied'),
        tryAgain: t('actions.tryAgain'),
        toTheEnd: t('toTheEnd'),
        waitingFor: (what) => t('waitingFor', { what }),
        typeToConfirm: (text) => t('typeToConfirm', { text }),
        requestId: t('copyRequestId'),
        details: t('copyDetails'),
        sideways: (label) => t('sideways', { label }),
        schemes: { auto: t('scheme.auto'), light: t('scheme.light'), dark: t('scheme.dark') },
        scheme: (current) => t('scheme.current', { current }),
        changeScheme: (current, next) => t('scheme.change', { current, next }),
      }}
    >
      {children}
    </WordsProvider>
  );
}
