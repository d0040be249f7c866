// The formats of the contracts, as narrow as what is done with such values afterwards.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const rfc3339 = /^(?!0000)\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;
/** Control characters, line ends and characters that show nothing or turn the text around. */

const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
/** Whatever the offset, the year has four digits in UTC too. */
const [earliest, latest] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T23:59:59Z')];

/** Accounts of persons in Steam's public universe, from the first there is to the last there can be. */
export const [firstSteamId, lastSteamId] = [76561197960265729n, 76561202255233023n];

export const formats = {
  /** In lower case: ids are compared as text. */
  uuid: (text: string) => uuid.test(text),
  'date-time': isTime,
  /** One line that begins and ends with something visible, and hides nothing. */
  'display-name': (text: string) => text === text.trim() && !hidden.test(text),
  /** Lines of text of which something is visible, and nothing hidden. */
  'plain-text': (text: string) => text.trim() !== '' && !hidden.test(text.replaceAll(/\r?\n/g, '')),
  /** What a plugin keeps in 64 bits, as text: numbers of JSON are exact up to 2^53 only. */
  uint64: (text: string) => /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) < 2n ** 64n,
  'steam-id': (text: string) =>
    /^\d{17}$/.test(text) && BigInt(text) >= firstSteamId && BigInt(text) <= lastSteamId,
};

/** Whether the text is a moment that there is: `Date.parse` alone would take February 30th for a day in March. */
export function isTime(text: string): boolean {
  if (!rfc3339.test(text)) return false;
  const day = text.slice(0, 10);
  const moment = Date.parse(text);
  return moment >= earliest && moment <= latest && new Date(day).toISOString().startsWith(day);
}
