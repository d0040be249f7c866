// Lines of a console as a virtual list; follows the end unless the user scrolls back.
import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { ConsoleLine } from './console-line.ts';
import { Icon } from './icons.tsx';
import classes from './console-lines.module.css';
import { Marked } from './marked.tsx';
import { useWords } from './words.tsx';

interface ConsoleLinesProps {
  /** May grow at both ends and lose lines at its start in place. */
  lines: readonly ConsoleLine[];
  /** Lines that were lost at the start, less those that were added there. */
  dropped?: number;
  label: string;
  /** Shown above the first line. */
  notice?: ReactNode;
  /** Called when the user scrolls to the first line. */
  onStart?: () => void;
  /** Shown when there are no lines. */
  placeholder: string;
  /** Marks each occurrence of this text. */
  search?: string;
  /** Scrolls to the line with this key when it changes. */
  current?: ConsoleLine['key'];
}

/** Maximum distance from the end in pixels at which the console still follows it. */
const slack = 24;
const lineHeight = 20;

const estimateSize = () => lineHeight;

export function ConsoleLines(props: ConsoleLinesProps) {
  const { lines, dropped = 0, label, notice, placeholder, search = '', current, onStart } = props;
  const words = useWords();
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [isFollowing, setIsFollowing] = useState(true);
  /** A line in sight, and where it was. */
  const anchor = useRef<{ key: ConsoleLine['key']; start: number } | null>(null);
  const lastDropped = useRef(dropped);
  // A new function would have all lines laid out again, which lost lines need.
  const keyAt = useCallback((index: number) => lines[index]?.key ?? index, [lines, dropped]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize,
    getItemKey: keyAt,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const indexOf = (wanted: ConsoleLine['key']) => lines.findIndex(({ key }) => key === wanted);
  useLayoutEffect(() => {
    if (box.current === null) return;
    if (isFollowing) box.current.scrollTop = box.current.scrollHeight;
    else if (dropped !== lastDropped.current && anchor.current !== null) {
      // Who reads earlier lines keeps them in sight while those above them are lost, or others are added there.
      const start = rows.measurementsCache[indexOf(anchor.current.key)]?.start;
      if (start === undefined) box.current.scrollTop = 0;
      else box.current.scrollTop += start - anchor.current.start;
    }
    lastDropped.current = dropped;
  });
  useLayoutEffect(() => {
    const top = box.current?.scrollTop ?? 0;
    const first = rows.getVirtualItems().find(({ end }) => end > top);
    const key = first === undefined ? undefined : lines[first.index]?.key;
    anchor.current = first === undefined || key === undefined ? null : { key, start: first.start };
  });
  useLayoutEffect(() => {
    if (current === undefined) return;
    setIsFollowing(false);
    rows.scrollToIndex(indexOf(current), { align: 'center' });
    // Only a change of the line itself scrolls: others may be lost before it.
  }, [current, rows]);
  return (
    <div className={classes.console}>
      <div
        ref={box}
        className={classes.lines}
        role="log"
        aria-label={label}
        aria-live="off"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          const isAtEnd = scrollHeight - scrollTop - clientHeight < slack;
          // Only a movement upwards is the user's: lines that are measured or added move the end away.
          if (isAtEnd) setIsFollowing(true);
          else if (scrollTop < lastTop.current - 1) setIsFollowing(false);
          if (scrollTop < slack && scrollTop < lastTop.current) onStart?.();
          lastTop.current = scrollTop;
        }}
      >
        {notice !== undefined && <div className={classes.note}>{notice}</div>}
        {lines.length === 0 && <div className={classes.note}>{placeholder}</div>}
        <div className={classes.space} style={{ height: rows.getTotalSize() }}>
          <div className={classes.window} style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
            {shown.map(({ index, key }) => {
              const line = lines[index];
              if (line === undefined) return null;
              return (
                <div
                  key={key}
                  ref={rows.measureElement}
                  data-index={index}
                  data-stream={line.stream}
                  data-current={line.key === current || undefined}
                  className={classes.line}
                >
                  <time dateTime={line.at}>{clockOf(line.at)}</time>
                  <span>
                    {line.by !== undefined && <span className={classes.by}>[{line.by}] </span>}
                    <Marked text={line.text} search={search} />
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {!isFollowing && (
        <Button
          className={classes.follow ?? ''}
          size="xs"
          onClick={() => setIsFollowing(true)}
          leftSection={<Icon name="down" size={14} />}
        >
          {words.toTheEnd}
        </Button>
      )}
    </div>
  );
}

const clock = new Intl.DateTimeFormat([], { timeStyle: 'medium', hour12: false });

const clockOf = (at: string): string => (at === '' ? '' : clock.format(new Date(at)));
