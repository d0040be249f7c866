// Keeps secrets out of what is shown and kept: those it was told of, and what looks like one.

const mark = '•••';

/** Tokens of three parts, and keys. */
const patterns = [
  /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Shorter ones would take half of every text with them. */
const shortest = 4;
const mostKnown = 200;

export class Secrets {
  readonly #known = new Set<string>();

  add(secret: string): void {
    if (secret.length < shortest) return;
    this.#known.delete(secret);
    this.#known.add(secret);
    const [oldest] = this.#known;
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  hide(text: string): string {
    let hidden = text;
    for (const secret of this.#known) hidden = hidden.replaceAll(secret, mark);
    for (const pattern of patterns) hidden = hidden.replace(pattern, mark);
    return hidden;
  }
}
