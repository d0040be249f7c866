// Edits the game's INI files by section and key, and keeps every other byte unchanged.

interface Entry {
  /** Index of its line. */
  at: number;
  key: string;
  /** The text before the value: key, equals sign and spaces. */
  lead: string;
  value: string;
}

const sectionHead = /^\s*\[([^\]]*)\]\s*$/;
/** Keys with a prefix +, -, . or ! change lists; they stay untouched. */
const entry = /^(\s*([^=;#[\s+\-.!][^=]*?)\s*=[ \t]*)(.*)$/;

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export class IniDocument {
  /** Each line includes its line end. */
  readonly #lines: string[];

  constructor(text: string) {
    this.#lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  }

  toString(): string {
    return this.#lines.join('');
  }

  /** The value as written; of duplicate keys, the last one counts. */
  get(section: string, key: string): string | undefined {
    return this.#find(section, key).at(-1)?.value.trimEnd();
  }

  /** Every line with content, by section and key, in the order of the file. A line without `=` has an empty key. */
  entries(): { section: string; key: string; value: string }[] {
    let section = '';
    return this.#lines.flatMap((line) => {
      const text = line.trim();
      const head = sectionHead.exec(text)?.[1];
      if (head !== undefined) section = head.trim();
      if (head !== undefined || text === '' || text.startsWith(';') || text.startsWith('#')) return [];
      const equals = Math.max(0, text.indexOf('='));
      return [{ section, key: text.slice(0, equals).trimEnd(), value: text.slice(equals) }];
    });
  }

  set(section: string, key: string, value: string): void {
    const last = this.#find(section, key).at(-1);
    if (last === undefined) this.#insert(section, `${key}=${value}`);
    else this.#lines[last.at] = `${last.lead}${value}${lineEndOf(this.#lines[last.at] ?? '')}`;
  }

  /** Removes every line of the key from the section. */
  delete(section: string, key: string): void {
    for (const { at } of this.#find(section, key).toReversed()) this.#lines.splice(at, 1);
  }

  #find(section: string, key: string): Entry[] {
    return this.#places(section).flatMap((at) => {
      const [, lead, name, value] = entry.exec(withoutEnd(this.#lines[at] ?? '')) ?? [];
      if (lead === undefined || name === undefined || value === undefined || !isSame(name, key)) return [];
      return [{ at, key: name, lead, value }];
    });
  }

  /** The line ranges of all parts of the file with this heading. */
  #places(section: string): number[] {
    const places: number[] = [];
    let isWithin = false;
    for (const [at, line] of this.#lines.entries()) {
      const head = sectionHead.exec(withoutEnd(line))?.[1];
      if (head !== undefined) isWithin = isSame(head.trim(), section);
      else if (isWithin) places.push(at);
    }
    return places;
  }

  /** Inserts after the last non-empty line of the section; creates the section if it is missing. */
  #insert(section: string, text: string): void {
    const end = this.#lineEnd();
    const heads = this.#lines.flatMap((line, at) => {
      const head = sectionHead.exec(withoutEnd(line))?.[1];
      return head !== undefined && isSame(head.trim(), section) ? [at] : [];
    });
    const head = heads.at(-1);
    if (head === undefined) {
      this.#close();
      const isApart = this.#lines.length === 0 || withoutEnd(this.#lines.at(-1) ?? '').trim() === '';
      this.#lines.push(...(isApart ? [] : [end]), `[${section}]${end}`, `${text}${end}`);
      return;
    }
    let at = head;
    for (let next = head + 1; next < this.#lines.length; next += 1) {
      const line = withoutEnd(this.#lines[next] ?? '');
      if (sectionHead.test(line)) break;
      if (line.trim() !== '') at = next;
    }
    if (at === this.#lines.length - 1) this.#close();
    this.#lines.splice(at + 1, 0, `${text}${end}`);
  }

  /** Ends the last line, if it has no line end. */
  #close(): void {
    const last = this.#lines.at(-1);
    if (last !== undefined && !last.endsWith('\n'))
      this.#lines[this.#lines.length - 1] = `${last}${this.#lineEnd()}`;
  }

  #lineEnd(): string {
    return this.#lines.some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  }
}

const withoutEnd = (line: string) => line.replace(/\r?\n$/, '');

const lineEndOf = (line: string) => /\r?\n$/.exec(line)?.[0] ?? '';
