// What is above the first line of a console: the way to earlier lines, or why there are none.
import { useTexts } from '../texts/texts.ts';
import type { ConsoleFeed } from './console-feed.ts';
import classes from './earlier-lines.module.css';

export function EarlierLines({ feed }: { feed: ConsoleFeed }) {
  const t = useTexts('instance');
  if (feed.status === 'connecting') return null;
  if (feed.earlier === 'loading') return t('console.loadingEarlier');
  if (feed.earlier === 'none') return t('console.noEarlier');
  if (feed.isFull) return t('console.truncated');
  return (
    <>
      {feed.earlierFault !== '' && <>{t('console.unavailable', { reason: feed.earlierFault })} </>}
      <button type="button" className={classes.button} onClick={() => void feed.loadEarlier()}>
        {t('console.showEarlier')}
      </button>
    </>
  );
}
