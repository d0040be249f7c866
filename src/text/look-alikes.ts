// Compares names by their appearance: two names that look the same have the same skeleton.

/**
 * Letters of other scripts that look like Latin ones, after compatibility forms (fullwidth, mathematical, circled) are
 * folded by NFKC and case by lower-casing. From the confusables of UTS #39, as far as they imitate Latin letters.
 */
const imitations: Readonly<Record<string, string>> = {
  a: 'аαɑаᴀⲁ',
  b: 'ьᏼʙƅ',
  c: 'сϲᴄⅽⲥ',
  d: 'ԁɗᴅժ',
  e: 'еєεҽᴇⅇ',
  f: 'ғꜰƒ',
  g: 'ɡԍցɢ',
  h: 'һհнʜ',
  i: 'іιıɩїɪӏ',
  j: 'јϳյᴊ',
  k: 'кκᴋҝ',
  l: 'ⅼʟ1|',
  m: 'мᴍⅿ',
  n: 'пηոռɴ',
  o: 'оοσօо0ᴏⲟ',
  p: 'рρᴘⲣ',
  q: 'ԛգ',
  r: 'гʀᴦⲅ',
  s: 'ѕꜱʂ',
  t: 'тτᴛ',
  u: 'υսцᴜʋ',
  v: 'ѵνᴠⅴ',
  w: 'ԝωшᴡա',
  x: 'хχⅹ',
  y: 'уγүʏყ',
  z: 'ᴢʐ',
};

const latinOf = new Map(
  Object.entries(imitations).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
);

/** Combining marks and invisible characters. */
const unseen = /[\p{Cf}\p{Mn}\p{Me}]/gu;

/** Returns a text that is equal for names that look alike, regardless of case, script and hidden characters. */
export function skeletonOf(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  const letters = [...folded.replace(unseen, '')].map((letter) => latinOf.get(letter) ?? letter);
  // A lower-case L and a capital I look the same.
  return letters.join('').replaceAll('i', 'l').replace(/\s+/gu, ' ').trim();
}

/** Returns the first of the other names that looks like this one; undefined if there is none. */
export function lookAlikeOf(name: string, others: Iterable<string>): string | undefined {
  const skeleton = skeletonOf(name);
  for (const other of others) if (skeletonOf(other) === skeleton) return other;
  return undefined;
}
