// The frame of the pages for visitors who are not signed in: one card in the middle.
import { Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { SchemeSwitch } from '@gantry/ui/scheme-switch.tsx';
import { Brand } from '../shared/brand.tsx';
import { LanguageSelect } from '../shared/language-select.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './gate.module.css';

interface GateProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

export function Gate({ title, lead, children }: GateProps) {
  const t = useTexts('session');
  useEffect(() => {
    document.title = `${title} · Gantry`;
  }, [title]);
  return (
    <div className={classes.gate}>
      <header className={classes.brand}>
        <Brand />
        <p className={classes.claim}>{t('brand')}</p>
      </header>
      <main className={classes.card}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        <div className={classes.content}>{children}</div>
      </main>
      <footer className={classes.foot}>
        <LanguageSelect />
        <SchemeSwitch />
      </footer>
    </div>
  );
}
