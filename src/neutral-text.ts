// Takes from names that somebody else chose what would be more than text where they are shown.

/** Shows nothing, and keeps what stands around it apart. */
const apart = '\u200b';

/** What shows nothing, turns text around or begins a line. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu;

export const cleaned = (text: string) => text.replace(unseen, ' ').trim();

/** For places that show text as it is, and make links of what looks like one. */
export const forPlainText = (text: string) =>
  cleaned(text)
    .replaceAll('@', `@${apart}`)
    .replace(/:(?=\/)/g, `:${apart}`)
    .replace(/\.(?=[\p{L}\p{N}\p{M}])/gu, `.${apart}`);

const punctuation = /[!-/:-@[-`{-~]/g;

/** For chats that read Markdown as Discord does: what stands behind a backslash is itself, and nobody is called. */
export const forMarkdown = (text: string) =>
  cleaned(text).replace(punctuation, (character) => (character === '@' ? `\\@${apart}` : `\\${character}`));
