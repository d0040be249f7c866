// Writes and reads integers of variable length, groups of bits, doubles and texts as bytes.

const groupSize = 128;

export class ByteWriter {
  readonly #bytes: number[] = [];

  /** A safe integer that is not negative: seven bits to a byte, the lowest first. */
  unsigned(value: number): void {
    let left = value;
    while (left >= groupSize) {
      this.#bytes.push((left % groupSize) + groupSize);
      left = Math.floor(left / groupSize);
    }
    this.#bytes.push(left);
  }

  /** A safe integer: its sign and lowest six bits in the first byte, seven in each further one. */
  signed(value: number): void {
    const magnitude = Math.abs(value);
    const first = (magnitude % 64) * 2 + (value < 0 ? 1 : 0);
    if (magnitude < 64) {
      this.#bytes.push(first);
      return;
    }
    this.#bytes.push(first + groupSize);
    this.unsigned(Math.floor(magnitude / 64));
  }

  double(value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#bytes.push(...bytes);
  }

  text(value: string | null): void {
    if (value === null) {
      this.unsigned(0);
      return;
    }
    const bytes = Buffer.from(value);
    this.unsigned(bytes.length + 1);
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** Integers that are not negative, in so many bits each; at most 24. */
  bits(values: readonly number[], width: number): void {
    let pending = 0;
    let count = 0;
    for (const value of values) {
      pending |= value << count;
      count += width;
      for (; count >= 8; count -= 8) {
        this.#bytes.push(pending & 255);
        pending >>>= 8;
      }
    }
    if (count > 0) this.#bytes.push(pending);
  }

  append(other: ByteWriter): void {
    for (const byte of other.#bytes) this.#bytes.push(byte);
  }

  get length(): number {
    return this.#bytes.length;
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  unsigned(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.#next();
      value += (byte % groupSize) * weight;
      if (byte < groupSize) return value;
      weight *= groupSize;
    }
  }

  signed(): number {
    const first = this.#next();
    const low = Math.floor((first % groupSize) / 2);
    const magnitude = first < groupSize ? low : low + this.unsigned() * 64;
    return first % 2 === 1 ? -magnitude : magnitude;
  }

  bits(count: number, width: number): number[] {
    let pending = 0;
    let pendingCount = 0;
    return Array.from({ length: count }, () => {
      for (; pendingCount < width; pendingCount += 8) pending |= this.#next() << pendingCount;
      const value = pending & ((1 << width) - 1);
      pending >>>= width;
      pendingCount -= width;
      return value;
    });
  }

  double(): number {
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string | null {
    const length = this.unsigned() - 1;
    if (length < 0) return null;
    const value = this.#bytes.toString('utf8', this.#at, this.#at + length);
    this.#at += length;
    return value;
  }

  #next(): number {
    const byte = this.#bytes.readUInt8(this.#at);
    this.#at += 1;
    return byte;
  }
}
