// Validators for the contracts' string formats, as strict as the later use of the values requires.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const rfc3339 = /^(?!0000)\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;
/** Control characters, line ends, invisible characters and characters that reverse the text direction. */
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
/** The invisible character between two pictographs that makes them one emoji. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)\u200d(?=\p{Extended_Pictographic})/gu;
/** In UTC too, the year has four digits, for any offset. */
const [earliest, latest] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T23:59:59Z')];

/** Individual accounts of Steam's public universe, from the first possible id to the last. */
export const [firstSteamId, lastSteamId] = [76561197960265729n, 76561202255233023n];

export const formats = {
  /** In lower case: ids are compared as text. */
  uuid: (text: string) => uuid.test(text),
  'date-time': isTime,
  /** One line that starts and ends with a visible character, without hidden characters. */
  'display-name': (text: string) => text === text.trim() && !hasHidden(text),
  /** Lines of text with at least one visible character, without hidden characters. */
  'plain-text': (text: string) => text.trim() !== '' && !hasHidden(text.replaceAll(/\r?\n/g, '')),
  /** An unsigned 64-bit integer of a plugin, as text: JSON numbers are exact only up to 2^53. */
  uint64: (text: string) => /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) < 2n ** 64n,
  'steam-id': (text: string) =>
    /^\d{17}$/.test(text) && BigInt(text) >= firstSteamId && BigInt(text) <= lastSteamId,
};

const hasHidden = (text: string) => hidden.test(text.replaceAll(emojiJoiner, ''));

/** Whether the text is a valid time: `Date.parse` alone would accept February 30th as a day in March. */
export function isTime(text: string): boolean {
  if (!rfc3339.test(text)) return false;
  const day = text.slice(0, 10);
  const moment = Date.parse(text);
  return moment >= earliest && moment <= latest && new Date(day).toISOString().startsWith(day);
}
