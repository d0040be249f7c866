// Where a folder or file is: every folder above it is a link, and any path can be typed.
import { ActionIcon, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { FolderInput, House } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './files.module.css';
import { usePlace } from './folder.ts';
import { crumbsOf, tidied } from './paths.ts';

export function Breadcrumbs({ path }: { path: string }) {
  const t = useTexts('files');
  const { instanceId } = usePlace();
  const navigate = useNavigate();
  const [typed, setTyped] = useState<string | null>(null);
  const crumbs = crumbsOf(path);
  if (typed !== null)
    return (
      <form
        className={classes.crumbs}
        onSubmit={(event) => {
          event.preventDefault();
          setTyped(null);
          void navigate({
            to: '/servers/$instanceId/files',
            params: { instanceId },
            search: { path: tidied(typed) },
          });
        }}
      >
        <TextInput
          className="grow"
          aria-label={t('path.label')}
          placeholder={t('path.placeholder')}
          value={typed}
          autoFocus
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => setTyped(null)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTyped(null);
          }}
        />
      </form>
    );
  return (
    <nav className={classes.crumbs} aria-label={t('path.crumbs')}>
      <ol>
        <li>
          <Link
            to="/servers/$instanceId/files"
            params={{ instanceId }}
            search={{ path: '' }}
            className={classes.crumb}
            activeProps={{}}
            {...(path === '' && { 'aria-current': 'page' })}
          >
            <House size={15} aria-hidden="true" />
            <span className={path === '' ? '' : 'visuallyHidden'}>{t('path.root')}</span>
          </Link>
        </li>
        {crumbs.map((crumb, index) => (
          <li key={crumb.path}>
            <span className={classes.slash} aria-hidden="true">
              /
            </span>
            {index === crumbs.length - 1 ? (
              <span className={classes.crumb} aria-current="page">
                {crumb.name}
              </span>
            ) : (
              <Link
                to="/servers/$instanceId/files"
                params={{ instanceId }}
                search={{ path: crumb.path }}
                className={classes.crumb}
              >
                {crumb.name}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('path.type')}
        title={t('path.type')}
        onClick={() => setTyped(path)}
      >
        <FolderInput size={16} />
      </ActionIcon>
    </nav>
  );
}
