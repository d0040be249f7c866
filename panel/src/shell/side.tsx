// The menu: license, search, pages and account. On phones it slides in over the page.
import { ActionIcon, Kbd } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../api/me.ts';
import { Brand } from '../shared/brand.tsx';
import { useTexts } from '../texts/texts.ts';
import { AccountMenu } from './account-menu.tsx';
import type { Overlay } from './overlay.ts';
import { LicenseSwitcher } from './license-switcher.tsx';
import { pagesFor } from './navigation.ts';
import classes from './side.module.css';

interface SideProps {
  isOpen: boolean;
  onClose: () => void;
  onOverlay: (overlay: Overlay) => void;
}

const phone = window.matchMedia('(max-width: 860px)');

export function Side({ isOpen, onClose, onOverlay }: SideProps) {
  const t = useTexts('shell');
  const [drawer, setDrawer] = useState<HTMLDialogElement | null>(null);
  const [isPhone, setIsPhone] = useState(phone.matches);
  useEffect(() => {
    const follow = () => setIsPhone(phone.matches);
    phone.addEventListener('change', follow);
    return () => phone.removeEventListener('change', follow);
  }, []);
  useEffect(() => {
    if (!isOpen) drawer?.close();
    else if (drawer?.open === false) drawer.showModal();
  }, [drawer, isOpen]);
  if (!isPhone)
    return (
      <aside className={classes.side} aria-label={t('menu')}>
        <Content onOverlay={onOverlay} />
      </aside>
    );
  return (
    <dialog
      ref={setDrawer}
      className={classes.drawer}
      aria-label={t('menu')}
      onClose={onClose}
      onClick={(event) => {
        // The backdrop belongs to the dialog itself.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {isOpen && (
        <div className={classes.inDrawer}>
          <ActionIcon
            className={classes.close ?? ''}
            variant="subtle"
            color="gray"
            size={44}
            aria-label={t('closeNavigation')}
            onClick={onClose}
          >
            <X size={20} />
          </ActionIcon>
          <Content
            onOverlay={(overlay) => {
              onClose();
              onOverlay(overlay);
            }}
          />
        </div>
      )}
    </dialog>
  );
}

function Content({ onOverlay }: Pick<SideProps, 'onOverlay'>) {
  const t = useTexts('shell');
  const groups = pagesFor(useMe());
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const pages = useRef<HTMLElement>(null);
  // The menu is longer than most windows.
  useEffect(() => {
    // Returns a promise in newer browsers, which is no cleanup.
    pages.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return (
    <>
      <div className={classes.top}>
        <Link to="/" className={classes.home}>
          <Brand />
        </Link>
        <LicenseSwitcher />
        <button type="button" className={classes.search} onClick={() => onOverlay('palette')}>
          <Search size={16} aria-hidden="true" />
          <span className="grow">{t('palette.open')}</span>
          <Kbd size="xs" className={classes.key ?? ''} aria-hidden="true">
            Ctrl K
          </Kbd>
        </button>
      </div>
      <nav ref={pages} className={classes.pages} aria-label={t('navigation')} hidden={groups.length === 0}>
        {groups.map(({ name, pages }) => (
          <div key={name ?? ''} className={classes.group}>
            {name !== undefined && <p className={classes.groupName}>{t(`groups.${name}`)}</p>}
            {pages.map(({ to, name: page, icon: Icon, isExact = false }) => (
              <Link
                key={to}
                to={to}
                className={classes.page}
                activeProps={{ 'aria-current': 'page' }}
                activeOptions={{ includeSearch: false, exact: isExact }}
              >
                <Icon size={17} aria-hidden="true" />
                {t(`pages.${page}`)}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <AccountMenu onShortcuts={() => onOverlay('shortcuts')} />
    </>
  );
}
