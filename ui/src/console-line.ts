// One line of a console.
export interface ConsoleLine {
  /** Ascends. Numbers are looked up fastest, which long consoles need. */
  key: string | number;
  /** RFC 3339; empty for remarks of the page itself. */
  at: string;
  /** Determines the colour; `note` is a remark of the page. */
  stream: string;
  text: string;
  /** Shown before the text, for example who typed the line. */
  by?: string;
}
