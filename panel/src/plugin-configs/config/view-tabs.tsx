// The views of a configuration; each has an address.
import { Link } from '@tanstack/react-router';
import classes from '../../shared/tabs.module.css';
import { useTexts } from '../../texts/texts.ts';
import { views as all, type View } from '../searches.ts';

interface ViewTabsProps {
  /** Which views there are for the user. */
  views: Readonly<Record<View, boolean>>;
}

export function ViewTabs({ views }: ViewTabsProps) {
  const t = useTexts('plugin-configs');
  return (
    <nav className={classes.tabs} aria-label={t('views.label')}>
      {all
        .filter((name) => views[name])
        .map((name) => (
          <Link
            key={name}
            to="."
            search={{ view: name }}
            className={classes.tab}
            activeOptions={{ exact: true, includeSearch: true }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {t(`views.${name}`)}
          </Link>
        ))}
    </nav>
  );
}
