// Unpacks one block of LZ4, or finds that it is none.

/** The bytes of the block, which must be `size`; null when it is damaged. */
export function unpackBlock(packed: Uint8Array, size: number): Buffer | null {
  const out = Buffer.alloc(size);
  let from = 0;
  let to = 0;
  /** A length that goes on in further bytes as long as they are full. */
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    for (let byte = 255; nibble === 15 && byte === 255; length += byte) {
      byte = packed[from] ?? NaN;
      from += 1;
    }
    return length;
  };
  while (from < packed.byteLength) {
    const token = packed[from] ?? 0;
    from += 1;
    const literals = lengthFrom(token >>> 4);
    if (!(from + literals <= packed.byteLength && to + literals <= size)) return null;
    out.set(packed.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === packed.byteLength) break;
    const distance = (packed[from] ?? 0) | ((packed[from + 1] ?? NaN) << 8);
    from += 2;
    const copied = lengthFrom(token & 15) + 4;
    if (!(from <= packed.byteLength && distance > 0 && distance <= to && to + copied <= size)) return null;
    // It may overlap with what it writes, so it goes byte by byte.
    for (let end = to + copied; to < end; to += 1) out[to] = out[to - distance] ?? 0;
  }
  return to === size ? out : null;
}
