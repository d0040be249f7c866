// The frame of every page for signed-in users: the menu, the page, and dialogs over it.
import { ActionIcon } from '@mantine/core';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLive } from '../live/live.ts';
import { usePhase } from '../session/session.ts';
import { SessionDialogs } from '../session/session-dialogs.tsx';
import { Brand } from '../shared/brand.tsx';
import { TransferDock } from '../shared/transfers/transfer-dock.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './frame.module.css';
import type { Overlay } from './overlay.ts';
import { Side } from './side.tsx';
import { useFileGuard } from './use-file-guard.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(() => import('./palette.tsx'));
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

export function Frame() {
  const t = useTexts('shell');
  const phase = usePhase();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [overlay, setOverlay] = useState<Overlay>(null);
  useLive();
  useShortcuts(setOverlay);
  useFileGuard();
  useEffect(() => setIsMenuOpen(false), [path]);
  useEffect(() => {
    // Another tab has signed out: what this page shows is no longer the viewer's.
    if (phase === 'signed-out') window.location.assign('/sign-in');
  }, [phase]);
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <header className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label={t('openNavigation')}
          aria-expanded={isMenuOpen}
          onClick={() => setIsMenuOpen(true)}
        >
          <MenuIcon size={20} />
        </ActionIcon>
        <Brand />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label={t('palette.open')}
          onClick={() => setOverlay('palette')}
        >
          <Search size={20} />
        </ActionIcon>
      </header>
      <Side isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} onOverlay={setOverlay} />
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
        <TransferDock />
      </main>
      <SessionDialogs />
      <Suspense>
        {overlay === 'palette' && <Palette onClose={() => setOverlay(null)} />}
        {overlay === 'shortcuts' && <ShortcutList onClose={() => setOverlay(null)} />}
      </Suspense>
    </div>
  );
}
