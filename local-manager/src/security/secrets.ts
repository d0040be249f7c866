// Removes secrets from output and stored text: known ones, and text that looks like one.

export const hiddenMark = '•••';

/** Three-part tokens (JWTs), and private keys. */
const patterns = [
  /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  // The end of a key whose beginning was cut off.
  /(?:(?<![\w+/=])[A-Za-z0-9+/=]{4,}\s*\n)+-----END [A-Z ]*PRIVATE KEY-----/g,
];

/** Shorter secrets would remove parts of ordinary text. */
const shortest = 4;
const maxKnown = 200;

export class Secrets {
  readonly #known = new Set<string>();

  add(secret: string): void {
    if (secret.length < shortest) return;
    this.#known.delete(secret);
    this.#known.add(secret);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  hide(text: string): string {
    let hidden = text;
    for (const secret of this.#known) hidden = hidden.replaceAll(secret, hiddenMark);
    for (const pattern of patterns) hidden = hidden.replace(pattern, hiddenMark);
    return hidden;
  }
}

/** The longest keys have fewer lines. */
const maxKeyLines = 120;

/** Detects the lines of a private key in a stream of lines. */
export class KeyLines {
  #left = 0;

  takes(line: string): boolean {
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line)) this.#left = maxKeyLines;
    const isWithin = this.#left > 0;
    this.#left = line.includes('-----END ') ? 0 : Math.max(0, this.#left - 1);
    return isWithin;
  }
}
