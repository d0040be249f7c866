// What concerns the signed-in user: their account, language, colours, help and signing out.
import { Badge, Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  BookOpen,
  Check,
  ChevronsUpDown,
  Keyboard,
  Languages,
  LogOut,
  Sparkles,
  UserRound,
} from 'lucide-react';
import { SchemeSwitch } from '@gantry/ui/scheme-switch.tsx';
import { useMe } from '../api/me.ts';
import { useWork } from '../api/writing.ts';
import { useHasUnread } from '../release-notes/read-until.ts';
import { docsLink } from '../session/docs-link.ts';
import { session } from '../session/session.ts';
import { useLeavePage } from '../shared/leave-page.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { languages, type Language } from '../texts/languages.ts';
import { changeLanguage, useLanguage, useTexts } from '../texts/texts.ts';
import classes from './account-menu.module.css';

export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const t = useTexts('shell');
  const me = useMe();
  const current = useLanguage();
  const hasUnread = useHasUnread();
  const leavePage = useLeavePage();
  const ending = useWork(() => session.signOut(), { onDone: () => window.location.assign('/sign-in') });
  const signOut = async () => {
    if (await leavePage()) ending.mutate(undefined);
  };
  return (
    <div className={classes.foot}>
      <ProblemAlert error={ending.error} />
      <Menu position="top-start" width={230} withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.user}>
            <span className="visuallyHidden">{t('account.menu')}</span>
            <span className={classes.initial} data-unread={hasUnread || undefined} aria-hidden="true">
              {me.email.slice(0, 1).toUpperCase()}
            </span>
            <span className={classes.names}>
              <span className="cut">{me.email}</span>
              <span className={classes.role}>
                {me.role ?? (me.is_super_admin ? t('account.superAdmin') : t('license.none'))}
              </span>
            </span>
            <ChevronsUpDown size={15} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to="/account" leftSection={<UserRound size={16} />}>
            {t('account.settings')}
          </Menu.Item>
          <Menu.Item
            component={Link}
            to="/whats-new"
            leftSection={<Sparkles size={16} />}
            rightSection={
              hasUnread && (
                <Badge size="xs" variant="light">
                  {t('account.unread')}
                </Badge>
              )
            }
          >
            {t('pages.whatsNew')}
          </Menu.Item>
          <Menu.Item leftSection={<Keyboard size={16} />} onClick={onShortcuts}>
            {t('account.shortcuts')}
          </Menu.Item>
          <Menu.Item {...docsLink('/api/docs')} leftSection={<BookOpen size={16} />}>
            {t('account.docs')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{t('account.language')}</Menu.Label>
          {Object.entries(languages).map(([language, name]) => (
            <Menu.Item
              key={language}
              lang={language}
              role="menuitemradio"
              aria-checked={language === current}
              leftSection={<Languages size={16} />}
              rightSection={language === current ? <Check size={15} /> : null}
              onClick={() => void changeLanguage(language as Language)}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<LogOut size={16} />} onClick={() => void signOut()}>
            {t('account.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SchemeSwitch />
    </div>
  );
}
