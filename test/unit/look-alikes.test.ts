// Look-alike names: a reader of a list of roles must not confuse two of them.
import { impostorOf } from '../../src/text/impostors.ts';
import { lookAlikeOf, skeletonOf } from '../../src/text/look-alikes.ts';

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

const system = ['Owner', 'Head Admin', 'Moderator', 'Viewer'];

it.each([
  ['O w n e r', 'Owner'],
  ['O\u2003w\u3164n\u2800e\u00a0r', 'Owner'],
  ['O.w-n_e·r', 'Owner'],
  ['[Owner]', 'Owner'],
  ['Ɵwner', 'Owner'],
  ['өwner', 'Owner'],
  ['Øwner', 'Owner'],
  ['Owneŕ', 'Owner'],
  ['O\u0336w\u0336ner', 'Owner'],
  ['Ｏｗｎéｒ', 'Owner'],
  ['🅾wner', 'Owner'],
  ['🇴🇼🇳🇪🇷', 'Owner'],
  ['ꓳꓪꓠꓰꓣ', 'Owner'],
  ['Ovvner', 'Owner'],
  ['Own3r', 'Owner'],
  ['HeadAdmin', 'Head Admin'],
  ['H34d @dm1n', 'Head Admin'],
  ['rnoderator', 'Moderator'],
  ['V|ewer', 'Viewer'],
])('%s imitates %s', (name, reserved) => {
  expect(impostorOf(name, system)).toBe(reserved);
});

it.each([
  'Co-Owner',
  'Owner 2',
  'Owners',
  '👑 Owner',
  'Admin',
  'Head',
  'Moderation',
  'Модератор',
  '所有者',
  '★',
])('%s imitates no system role', (name) => {
  expect(impostorOf(name, system)).toBeUndefined();
});
