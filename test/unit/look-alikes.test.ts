// Names that look the same: whoever reads a list of roles must not take one for another.
import { lookAlikeOf, skeletonOf } from '../../src/services/look-alikes.ts';

it.each([
  ['fullwidth', 'Ｏｗｎｅｒ'],
  ['Cyrillic letters', 'Оwnеr'],
  ['Greek letters', 'Οwner'],
  ['a zero', '0wner'],
  ['mathematical letters', '𝐎𝐰𝐧𝐞𝐫'],
  ['small capitals', 'ᴏᴡɴᴇʀ'],
  ['upper case', 'OWNER'],
  ['invisible characters', 'Ow\u200bner'],
])('Owner written with %s is Owner', (_how, name) => {
  expect(lookAlikeOf(name, ['Viewer', 'Owner'])).toBe('Owner');
});

it.each([
  ['Head Admin', 'Head\u00a0 Admin'],
  ['Billing', 'Bi11ing'],
  ['Live', 'ⅼіνе'],
])('%s and %s are alike', (one, other) => {
  expect(skeletonOf(one)).toBe(skeletonOf(other));
});

it.each([
  ['Owner', 'Owners'],
  ['Builder', 'Builder 2'],
  ['Модератор', 'Администратор'],
  ['管理者', '所有者'],
  ['Wächter', 'Wachter.'],
])('%s and %s are not', (one, other) => {
  expect(skeletonOf(one)).not.toBe(skeletonOf(other));
});
