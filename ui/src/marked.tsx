// A text with the occurrences of a search marked.
export function Marked({ text, search }: { text: string; search: string }) {
  if (search === '') return text;
  return partsOf(text, search).map(({ part, isMatch, at }) =>
    isMatch ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
  );
}

interface Part {
  part: string;
  isMatch: boolean;
  at: number;
}

/** Cuts a text at the occurrences of a search, without regard to case. */
export function partsOf(text: string, search: string): Part[] {
  const parts: Part[] = [];
  const lower = text.toLowerCase();
  const wanted = search.toLowerCase();
  // Some letters change their length in lower case, so positions would not fit.
  if (wanted === '' || lower.length !== text.length) return [{ part: text, isMatch: false, at: 0 }];
  let end = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, end)) {
    if (at > end) parts.push({ part: text.slice(end, at), isMatch: false, at: end });
    end = at + wanted.length;
    parts.push({ part: text.slice(at, end), isMatch: true, at });
  }
  if (end < text.length) parts.push({ part: text.slice(end), isMatch: false, at: end });
  return parts;
}
