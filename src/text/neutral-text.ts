// Removes from names that other people chose what would be markup where the names are shown.

/** Shows nothing, and keeps what stands around it apart. */
const apart = '\u200b';

/** What shows nothing, turns text around or begins a line. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu;

export const cleaned = (text: string) => text.replace(unseen, ' ').trim();

/*
 * The signs of addresses, with all that compatibility forms (NFKC) and domain names (IDNA) make one of: programs that look
 * for links take some of them, and browsers take every one.
 */
const ats = '@\ufe6b\uff20';
const colons = ':\u2a74\ufe13\ufe55\uff1a';
const slashes = '/\\\\\u2044\u2215\u29f8\ufe68\uff0f\uff3c';
const dots =
  '.\u2024-\u2026\u2488-\u249b\u3002\u33c2\u33c7\u33d8\ufe12\ufe19\ufe30\ufe52\uff0e\uff61\u{1f100}';

const at = new RegExp(`[${ats}]`, 'gu');
const scheme = new RegExp(`[${colons}](?=[${slashes}])`, 'gu');
const domain = new RegExp(`[${dots}](?=[\\p{L}\\p{N}\\p{M}])`, 'gu');

/** For places that show text as it is, and make links of what looks like one. */
export const forPlainText = (text: string) =>
  [at, scheme, domain].reduce((shown, sign) => shown.replace(sign, `$&${apart}`), cleaned(text));

const punctuation = /[!-/:-@[-`{-~]/g;

/** For chats that read Markdown as Discord does: a backslash makes the next character plain, and mentions notify no member. */
export const forMarkdown = (text: string) =>
  cleaned(text).replace(punctuation, (character) => (character === '@' ? `\\@${apart}` : `\\${character}`));
