// Decompresses one LZ4 block, or reports that it is damaged.

/** Returns the decompressed bytes, which must number `size`; null if the block is damaged. */
export function unpackBlock(packed: Uint8Array, size: number): Buffer | null {
  const out = Buffer.alloc(size);
  let from = 0;
  let to = 0;
  /** A length continues in further bytes for as long as each byte is 255. */
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
    // The source may overlap the bytes being written, so copy byte by byte.
    const end = to + copied;
    for (; to < end; to += 1) out[to] = out[to - distance] ?? 0;
  }
  return to === size ? out : null;
}
