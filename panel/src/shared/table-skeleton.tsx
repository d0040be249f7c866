// A table that loads.
import { Skeleton } from '@mantine/core';
import classes from './table-skeleton.module.css';

export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className={classes.table}>
      <Skeleton height={36} width={300} maw="100%" />
      <div className={classes.rows}>
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className={classes.row}>
            <Skeleton height={14} width={`${70 - (index % 3) * 12}%`} />
          </div>
        ))}
      </div>
    </div>
  );
}
