// Names that pass for reserved ones: strictly, since whoever reads a reserved name trusts it.
import { skeletonOf } from '../text/look-alikes.ts';

/** Letters that are other letters with a stroke or a turn, of scripts that draw Latin ones, and figures read as letters. */
const alterations: Readonly<Record<string, string>> = {
  a: 'ꭺꓮɐᴬⱥ4@',
  b: 'ƀɃꓐ',
  d: 'đꭰꓓð',
  e: 'ɇǝəɛꭼꓰ3ɘз',
  h: 'ħꮋꓧⱨ',
  i: 'ɨꭲꓲ!',
  l: 'łƚɫꓡ',
  m: 'ꮇꓟʍɱ',
  n: 'ŋƞɲꓠип',
  o: 'øɵөꓳⱺꝋ',
  r: 'ɍɾɹꭱꓣя',
  s: 'ꓢ5$',
  t: 'ŧꓔⱦ',
  v: 'ꮩꓦʌ',
  w: 'ꮃꓪ',
};

const letterOf = new Map(
  Object.entries(alterations).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

/** Letters as emoji, each in the order of the alphabet: in circles, in squares and as flags. */
const alphabets = [0x1_f1_50, 0x1_f1_70, 0x1_f1_e6].flatMap((first) =>
  [...'abcdefghijklmnopqrstuvwxyz'].map(
    (letter, index) => [String.fromCodePoint(first + index), letter] as const,
  ),
);
for (const [emoji, letter] of alphabets) letterOf.set(emoji, letter);

/** Marks, and what shows nothing although some of it counts as letters. */
const ignored = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const betweenLetters = /[^\p{L}\p{N}\p{Extended_Pictographic}]/gu;

function bareOf(name: string): string {
  const open = name.normalize('NFKD').toLowerCase().normalize('NFKD').replace(ignored, '');
  const letters = [...open].map((letter) => letterOf.get(letter) ?? letter).join('');
  return skeletonOf(letters).replace(betweenLetters, '').replaceAll('vv', 'w').replaceAll('rn', 'm');
}

/** The reserved name that this one passes for, whatever its marks, spaces and punctuation. */
export function impostorOf(name: string, reserved: Iterable<string>): string | undefined {
  const bare = bareOf(name);
  for (const other of reserved) if (bareOf(other) === bare) return other;
  return undefined;
}
