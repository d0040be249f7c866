// Reads the next page of a list.
import { Button } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';
import classes from './load-more.module.css';

interface LoadMoreProps {
  pages: { hasNextPage: boolean; isReadingMore: boolean; fetchNextPage: () => unknown };
}

export function LoadMore({ pages: { hasNextPage, isReadingMore, fetchNextPage } }: LoadMoreProps) {
  const t = useTexts('common');
  if (!hasNextPage) return null;
  return (
    <div className={classes.more}>
      <Button variant="default" loading={isReadingMore} onClick={() => void fetchNextPage()}>
        {t('actions.showMore')}
      </Button>
    </div>
  );
}
