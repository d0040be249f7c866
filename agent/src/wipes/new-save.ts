// Decides from the save time that a Rust server reports whether its save was created after a wipe.
import { fieldsOf, parsed } from '../rcon/frames.ts';

const minuteMs = 60_000;
/** The reported time has no time zone. No zone is more than 14 hours from UTC. */
const zoneSlackMs = 14 * 60 * minuteMs;

/** Returns `SaveCreatedTime` from the reply to `serverinfo`, as the server writes it, or null when it is missing. */
export function saveTimeIn(serverInfo: string): string | null {
  const text = fieldsOf(parsed(serverInfo)).get('SaveCreatedTime');
  return typeof text === 'string' && text.length <= 100 ? text : null;
}

/**
 * The server formats the time in its own culture. A text that cannot be parsed counts as new when it differs from the
 * previous text.
 */
export function isNewSave(text: string, before: string | null, wipedAtMs: number): boolean {
  if (text === before) return false;
  const readings = readingsOf(text);
  return readings.length === 0 || readings.some((ms) => ms >= wipedAtMs - minuteMs);
}

/** Returns the latest timestamps that the text may stand for. */
function readingsOf(text: string): number[] {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return [Date.parse(text)].filter(Number.isFinite);
  const match = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})[ T,]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AP]M)?/i.exec(
    text,
  );
  if (match === null) return [];
  const [, one = '', two = '', three = '', hour = '', minute = '', second = '0', half = ''] = match;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const dates =
    one.length === 4
      ? [[one, two, three]]
      : [
          [three, one, two],
          [three, two, one],
        ];
  return dates.flatMap(([year, month, day]) => {
    const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
    const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), hours, Number(minute), Number(second));
    return isDate ? [ms + zoneSlackMs] : [];
  });
}
