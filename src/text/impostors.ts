// Detects names that readers would mistake for a reserved name, such as the name of a system role.
import { skeletonOf } from './look-alikes.ts';

/** Characters that readers take for each letter: stroked and turned forms, look-alikes of other scripts, digits. */
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

/** Combining marks and invisible characters; Unicode counts some of the invisible ones as letters. */
const ignored = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const betweenLetters = /[^\p{L}\p{N}\p{Extended_Pictographic}]/gu;

function bareOf(name: string): string {
  const open = name.normalize('NFKD').toLowerCase().normalize('NFKD').replace(ignored, '');
  const letters = [...open].map((letter) => letterOf.get(letter) ?? letter).join('');
  return skeletonOf(letters).replace(betweenLetters, '').replaceAll('vv', 'w').replaceAll('rn', 'm');
}

/** The reserved name that this one resembles; marks, spaces and punctuation are ignored. */
export function impostorOf(name: string, reserved: Iterable<string>): string | undefined {
  const bare = bareOf(name);
  for (const other of reserved) if (bareOf(other) === bare) return other;
  return undefined;
}
