// Recognises Rust maps while their bytes stream: a version, then LZ4 chunks with the world in protobuf.
import { DomainError } from '../../errors.ts';
import { unpackBlock } from './lz4-block.ts';

/** Header bytes by version: version 9 starts with the chunks, version 10 has a timestamp before them. */
const headBytes: Readonly<Record<number, number>> = { 9: 4, 10: 12 };
/** The game itself writes chunks of 1 MiB. */
const maxChunkBytes = 4 * 1024 * 1024;
const maxWorldSize = 20_000;

const isPacked = 1;
/** Flags that the game's reader knows: compressed, and high compression. */
const knownFlags = 3;

export interface MapFacts {
  formatVersion: number;
  worldSize: number;
}

export class MapFormat {
  /** The bytes read so far of the current number or of the file's header. */
  #bytes: number[] = [];
  #version: number | undefined;
  #isHeadOver = false;
  /** The numbers before a chunk: its flags, its size, and its compressed size if it is compressed. */
  #numbers: number[] = [];
  #left = 0;
  /** The first chunk, which is decompressed to read the world's size. */
  #first: Buffer[] = [];
  #worldSize: number | undefined;

  /** Throws `invalid_map` as soon as the bytes cannot be a map. */
  feed(bytes: Buffer): void {
    for (let at = 0; at < bytes.byteLength;) {
      if (this.#left > 0) {
        const part = bytes.subarray(at, at + this.#left);
        this.#takeContent(part);
        at += part.byteLength;
      } else {
        this.#takeByte(bytes.readUInt8(at));
        at += 1;
      }
    }
  }

  /** Returns what is known of the map; call it after the last byte. */
  end(): MapFacts {
    if (this.#left > 0 || this.#numbers.length > 0 || this.#bytes.length > 0)
      throw refused('its end is missing');
    if (this.#version === undefined || this.#worldSize === undefined) throw refused('it is too short');
    return { formatVersion: this.#version, worldSize: this.#worldSize };
  }

  #takeByte(byte: number): void {
    this.#bytes.push(byte);
    if (!this.#isHeadOver) this.#readHead();
    else if (byte < 0x80) this.#takeNumber(numberOf(this.#bytes.splice(0)));
    else if (this.#bytes.length >= 5) throw refused('a chunk has no proper size');
  }

  #readHead(): void {
    if (this.#bytes.length === 4) {
      this.#version = Buffer.from(this.#bytes).readUInt32LE();
      if (headBytes[this.#version] === undefined)
        throw refused('it does not begin as a map of version 9 or 10');
    }
    if (this.#bytes.length !== headBytes[this.#version ?? 0]) return;
    this.#bytes = [];
    this.#isHeadOver = true;
  }

  #takeNumber(number: number): void {
    this.#numbers.push(number);
    const [flags = 0, size, packedSize = flags & isPacked ? undefined : size] = this.#numbers;
    if (flags > knownFlags) throw refused('a chunk is packed in a way that the game does not know');
    if (size === undefined || packedSize === undefined) return;
    if (size > maxChunkBytes || packedSize > size) throw refused('a chunk has no proper size');
    this.#left = packedSize;
    if (packedSize === 0) this.#numbers = [];
  }

  #takeContent(part: Buffer): void {
    this.#left -= part.byteLength;
    if (this.#worldSize === undefined) this.#first.push(Buffer.from(part));
    if (this.#left > 0) return;
    const [flags = 0, size = 0] = this.#numbers.splice(0);
    if (this.#worldSize !== undefined) return;
    const chunk = Buffer.concat(this.#first.splice(0));
    const content = flags & isPacked ? unpackBlock(chunk, size) : chunk;
    if (content === null) throw refused('its first chunk cannot be unpacked');
    this.#worldSize = worldSizeOf(content);
  }
}

/** Decodes a varint: seven bits in each byte, the lowest first. */
function numberOf(bytes: readonly number[]): number {
  return bytes.reduceRight((number, byte) => number * 128 + (byte & 0x7f), 0);
}

/** Protobuf tags: the number of a field times eight, plus its wire type. */
const sizeField = 0x08;
const layersField = 0x12;
const layerNameField = 0x0a;

/** The world starts with its size, followed by its layers, each of which starts with its name. */
function worldSizeOf(content: Buffer): number {
  const reader = { at: 0 };
  const byte = () => content[reader.at++];
  const number = () => {
    const start = reader.at;
    while (reader.at - start < 5 && (byte() ?? 0) >= 0x80);
    return numberOf([...content.subarray(start, reader.at)]);
  };
  const isSize = byte() === sizeField;
  const size = number();
  const isLayers = byte() === layersField;
  const layerBytes = number();
  if (!isSize || !isLayers || layerBytes < 2 || byte() !== layerNameField)
    throw refused('it contains no world');
  if (size < 1 || size > maxWorldSize) throw refused('its world has no proper size');
  return size;
}

const refused = (why: string) => new DomainError('invalid_map', `The file is not a usable Rust map: ${why}.`);
