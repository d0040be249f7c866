// Makes what players call themselves fit to be kept and shown.

const most = 64;
/** Control characters, line ends, and characters that show nothing or turn the text around. */
const hidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu;

/** A name of which nothing is left to be seen answers what stands for it instead. */
export function visibleName(name: string, instead: string): string {
  const visible = [...name.replace(hidden, '').trim()].slice(0, most).join('').trimEnd();
  return visible === '' ? instead : visible;
}
