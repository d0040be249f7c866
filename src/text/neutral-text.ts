// Neutralises user-chosen names, so that they contain no markup, links or mentions where they are shown.

/** A zero-width space: invisible, but it separates the characters around it. */
const apart = '\u200b';

/** Invisible characters, line ends, and characters that change the text direction. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu;

export const cleaned = (text: string) => text.replace(unseen, ' ').trim();

/*
 * The punctuation of addresses, with all characters that NFKC or IDNA map to it: link detection recognises some of
 * them, and browsers accept all.
 */
const ats = '@\ufe6b\uff20';
const colons = ':\u2a74\ufe13\ufe55\uff1a';
const slashes = '/\\\\\u2044\u2215\u29f8\ufe68\uff0f\uff3c';
const dots =
  '.\u2024-\u2026\u2488-\u249b\u3002\u33c2\u33c7\u33d8\ufe12\ufe19\ufe30\ufe52\uff0e\uff61\u{1f100}';

const at = new RegExp(`[${ats}]`, 'gu');
const scheme = new RegExp(`[${colons}](?=[${slashes}])`, 'gu');
const domain = new RegExp(`[${dots}](?=[\\p{L}\\p{N}\\p{M}])`, 'gu');

/** For places that show plain text and turn anything that looks like an address into a link. */
export const forPlainText = (text: string) =>
  [at, scheme, domain].reduce((shown, sign) => shown.replace(sign, `$&${apart}`), cleaned(text));

const punctuation = /[!-/:-@[-`{-~]/g;

/** For chats with Discord's Markdown: escapes all punctuation with backslashes, and disables mentions. */
export const forMarkdown = (text: string) =>
  cleaned(text).replace(punctuation, (character) => (character === '@' ? `\\@${apart}` : `\\${character}`));
