// Lines of a console as a virtual list; follows the end unless the user scrolls back.
import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import classes from './console-lines.module.css';
import { Marked } from './marked.tsx';
import { useWords } from './words.tsx';

export interface ConsoleLine {
  /** Numbers are looked up fastest, which long consoles need. */
  key: string | number;
  /** RFC 3339; empty for remarks of the page itself. */
  at: string;
  /** Determines the colour; `note` is a remark of the page. */
  stream: string;
  text: string;
  /** Shown before the text, for example who typed the line. */
  by?: string;
}

interface ConsoleLinesProps {
  lines: readonly ConsoleLine[];
  label: string;
  /** Shown above the first line. */
  notice?: string;
  /** Shown when there are no lines. */
  placeholder: string;
  /** Marks each occurrence of this text. */
  search?: string;
  /** Scrolls to this line when it changes. */
  current?: number;
}

/** Maximum distance from the end in pixels at which the console still follows it. */
const slack = 24;
const lineHeight = 20;

const estimateSize = () => lineHeight;

export function ConsoleLines({ lines, label, notice, placeholder, search = '', current }: ConsoleLinesProps) {
  const words = useWords();
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [isFollowing, setIsFollowing] = useState(true);
  // A new function would have all lines laid out again.
  const keyAt = useCallback((index: number) => lines[index]?.key ?? index, [lines]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize,
    getItemKey: keyAt,
    overscan: 12,
  });
  useLayoutEffect(() => {
    if (isFollowing && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  useLayoutEffect(() => {
    if (current === undefined) return;
    setIsFollowing(false);
    rows.scrollToIndex(current, { align: 'center' });
  }, [current, rows]);
  const shown = rows.getVirtualItems();
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
                  data-current={index === current || undefined}
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
