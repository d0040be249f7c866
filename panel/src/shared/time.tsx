// A time relative to now, with the exact local time and UTC on hover and focus.
import { Tooltip } from '@mantine/core';
import { useNow } from '@gantry/ui/use-now.ts';
import { useFormats } from './formats.ts';

interface TimeProps {
  at: string;
  /** Rows of tables have no tab stop for each time. */
  isFocusable?: boolean;
}

const everyMs = 10_000;

export function Time({ at, isFocusable = true }: TimeProps) {
  const formats = useFormats();
  const now = useNow(true, everyMs);
  return (
    <Tooltip
      label={`${formats.dateTime(at)} · ${formats.utc(at)}`}
      events={{ hover: true, focus: true, touch: true }}
      transitionProps={{ duration: 0 }}
    >
      <time dateTime={at} {...(isFocusable && { tabIndex: 0 })} className="nowrap">
        {formats.relative(at, now)}
      </time>
    </Tooltip>
  );
}
