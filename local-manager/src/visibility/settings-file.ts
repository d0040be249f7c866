// Reads and replaces line 4 of settings.conf, the address that the gateway registers, and keeps all other bytes.

const lineNumber = 4;

interface Line {
  start: number;
  /** Excludes the line end. */
  end: number;
}

/** The lines as byte ranges, independent of the encoding. */
function linesOf(content: Buffer): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < content.length) {
    const found = content.indexOf(0x0a, start);
    const next = found < 0 ? content.length : found + 1;
    const feed = found < 0 ? content.length : found;
    const end = feed > start && content[feed - 1] === 0x0d ? feed - 1 : feed;
    lines.push({ start, end });
    start = next;
  }
  return lines;
}

/** Null for an empty or missing line. */
export function addressIn(content: Buffer): string | null {
  const line = linesOf(content)[lineNumber - 1];
  if (line === undefined) return null;
  return content.toString('latin1', line.start, line.end).trim() || null;
}

export function withAddress(content: Buffer, address: string | null): Buffer {
  const value = Buffer.from(address ?? '', 'latin1');
  const lines = linesOf(content);
  const line = lines[lineNumber - 1];
  if (line !== undefined)
    return Buffer.concat([content.subarray(0, line.start), value, content.subarray(line.end)]);
  const lineEnd = Buffer.from(content.includes('\r\n') ? '\r\n' : '\n');
  const isLastOpen = content.length > 0 && content.at(-1) !== 0x0a;
  const missing = lineNumber - 1 - lines.length + (isLastOpen ? 1 : 0);
  return Buffer.concat([content, ...Array<Buffer>(missing).fill(lineEnd), value, lineEnd]);
}
