// The frame of the portal: its pages for holders of a host key, and the question for it.
import { Button } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { SchemeSwitch } from '@gantry/ui/scheme-switch.tsx';
import { Brand } from '../shared/brand.tsx';
import { LanguageSelect } from '../shared/language-select.tsx';
import { useTexts } from '../texts/texts.ts';
import { forgetHostKey, useHostKey } from './host-key.ts';
import { KeyGate } from './key-gate.tsx';
import { useProvisioning } from './provision/provisioning.ts';
import classes from './reseller.module.css';

export function PortalFrame() {
  const key = useHostKey();
  return key === null ? <KeyGate /> : <Portal />;
}

function Portal() {
  const t = useTexts('reseller');
  const shell = useTexts('shell');
  return (
    <div className={classes.portal}>
      <a className={classes.skip} href="#main">
        {shell('skip')}
      </a>
      <header className={classes.bar}>
        <span className={classes.brand}>
          <Brand />
          <span className="dim">{t('title')}</span>
        </span>
        <nav className={classes.nav} aria-label={shell('navigation')}>
          <PageLink to="/reseller">{t('licenses.title')}</PageLink>
          <PageLink to="/reseller/provision">{t('provision.title')}</PageLink>
          <PageLink to="/reseller/bill">{t('bill')}</PageLink>
        </nav>
        <div className={classes.tools}>
          <LanguageSelect />
          <SchemeSwitch />
          <SignOut />
        </div>
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function PageLink({
  to,
  children,
}: {
  to: '/reseller' | '/reseller/provision' | '/reseller/bill';
  children: string;
}) {
  return (
    <Link
      to={to}
      className={classes.page}
      activeOptions={{ exact: true, includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
    >
      {children}
    </Link>
  );
}

/** Forgets the key, what was read with it, and the results of the provisioning. */
function SignOut() {
  const t = useTexts('reseller');
  const shell = useTexts('shell');
  const { run } = useProvisioning();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<LogOut size={15} aria-hidden="true" />}
        onClick={() => (run === null ? forgetHostKey() : setIsAsking(true))}
      >
        {shell('account.signOut')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('signOut.title')}
        action={shell('account.signOut')}
        isDangerous
        onConfirm={() => forgetHostKey()}
        onClose={() => setIsAsking(false)}
      >
        {t('signOut.detail')}
      </ConfirmDialog>
    </>
  );
}
