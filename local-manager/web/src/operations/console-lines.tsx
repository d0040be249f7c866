// The output of operations; follows the end unless the user scrolls back.
import { Button } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../shared/icons.tsx';
import classes from './console-lines.module.css';
import type { OperationLine } from './operations-feed.ts';

const maxShown = 1_500;
/** Maximum distance from the end in pixels at which the console still follows it. */
const slack = 24;

export function ConsoleLines({
  lines,
  isTruncated,
}: {
  lines: readonly OperationLine[];
  isTruncated: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  useLayoutEffect(() => {
    if (isFollowing && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  const shown = lines.slice(-maxShown);
  return (
    <div className={classes.console}>
      <div
        ref={box}
        className={classes.lines}
        role="log"
        aria-label="What operations have printed"
        aria-live="off"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setIsFollowing(scrollHeight - scrollTop - clientHeight < slack)
        }
      >
        {(isTruncated || shown.length < lines.length) && (
          <div className={classes.note}>Earlier lines are not shown.</div>
        )}
        {shown.length === 0 && <div className={classes.note}>Nothing has been printed yet.</div>}
        {shown.map(({ operationId, seq, at, stream, text }) => (
          <div key={`${operationId} ${seq}`} className={classes.line} data-stream={stream}>
            <time dateTime={at}>{new Date(at).toLocaleTimeString([], { hour12: false })}</time>
            <span>{text}</span>
          </div>
        ))}
      </div>
      {!isFollowing && (
        <Button
          className={classes.follow ?? ''}
          size="xs"
          onClick={() => setIsFollowing(true)}
          leftSection={<Icon name="down" size={14} />}
        >
          To the end
        </Button>
      )}
    </div>
  );
}
