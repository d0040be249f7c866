// Reads a configuration from files, and leaves out what the contract refuses.
import type { Node } from 'jsonc-parser';
import { readPart, rootOf, type NotRead } from './documents.ts';
import { pointerOf, propertyOf, stepsOf, valueOf, type JsonText } from './json-text.ts';
import type { ConfigData } from './definition.ts';
import { foundIn, noTracks, stays, type Remark } from './reading.ts';
import type { RemarkList } from './remarks.ts';
import { fieldOf, isMap, keysOf, type Schema } from './schema.ts';
import type { ConfigValue } from './wanted.ts';

/** The part of a document that holds a field of the configuration, or all of it. */
export interface Source {
  file: string;
  document: JsonText;
  field?: string;
  key?: string;
  schema: Schema;
}

/** How a configuration differs from its files, and which faults it can have. */
export interface Rules {
  afterReading: (read: ConfigData) => ConfigData;
  /** The place in the read data that a place of the configuration comes from. */
  placeBefore: (steps: readonly string[], read: ConfigData) => readonly string[];
  faultsOf: (config: ConfigData) => readonly Remark[];
}

type Container = Record<string, ConfigValue> | ConfigValue[];

/** A part of the read data, in its container. */
interface Part {
  container: Container;
  key: string;
  /** Whether the container requires it. */
  isRequired: boolean;
  file: string;
  /** Its nodes; several if a virtual group has its fields among those of its parent. */
  nodes: readonly Node[];
}

export class Intake {
  /** The content of the files that is not in the configuration. */
  readonly remarks: RemarkList<NotRead>;
  readonly #tracks = noTracks();
  readonly #sources: readonly Source[];
  readonly #rules: Rules;
  readonly #read: Record<string, ConfigValue> = {};

  constructor(sources: readonly Source[], rules: Rules, remarks: RemarkList<NotRead>) {
    this.remarks = remarks;
    this.#sources = sources;
    this.#rules = rules;
    for (const { file, document, field, key, schema } of sources) {
      const { value, remarks } = readPart(key === undefined ? {} : { key }, schema, document, this.#tracks);
      this.remarks.addAll(remarks, (remark) => ({ file, ...remark }));
      if (field === undefined) Object.assign(this.#read, value);
      else if (value !== undefined) this.#read[field] = value;
    }
  }

  get config(): ConfigData {
    return this.#rules.afterReading(this.#read);
  }

  /** Nodes that the schema has a place for but that are not in the configuration. */
  get leftOut(): ReadonlySet<Node> {
    return this.#tracks.leftOut;
  }

  /** Removes what the contract refuses, until it accepts the rest. */
  reduce(): this {
    for (;;) {
      const faults = this.#rules.faultsOf(this.config);
      if (faults.length === 0) return this;
      this.#leaveOut(faults);
    }
  }

  #leaveOut(faults: readonly Remark[]): void {
    const gone = new Map<Container, Set<string>>();
    for (const { pointer, detail } of faults) {
      const part = this.#partAt(this.#rules.placeBefore(stepsOf(pointer), this.#read));
      if (part === undefined) throw new Error(`${pointer} ${detail}, and cannot be left out`);
      const keys = gone.get(part.container) ?? new Set();
      if (keys.has(part.key)) continue;
      gone.set(part.container, keys.add(part.key));
      for (const node of part.nodes) {
        this.#tracks.leftOut.add(node);
        this.remarks.add({
          file: part.file,
          pointer: pointerOf(node),
          detail: `${detail}; it ${stays}`,
        });
      }
    }
    for (const [container, keys] of gone) this.#remove(container, keys);
  }

  #remove(container: Container, keys: ReadonlySet<string>): void {
    if (!Array.isArray(container)) {
      for (const key of keys) delete container[key];
      return;
    }
    const stays = (_: unknown, index: number) => !keys.has(String(index));
    const nodes = this.#tracks.elements.get(container);
    if (nodes !== undefined) this.#tracks.elements.set(container, nodes.filter(stays));
    container.splice(0, container.length, ...container.filter(stays));
  }

  /** The smallest removable part at that place or around it. */
  #partAt([first = '', ...steps]: readonly string[]): Part | undefined {
    const source =
      this.#sources.find(({ field }) => field === first) ??
      this.#sources.find(({ field, schema }) => field === undefined && fieldOf(schema, first));
    if (source === undefined) return undefined;
    const { file, document } = source;
    const root = rootOf(source.key === undefined ? {} : { key: source.key }, document);
    const top =
      source.field === undefined
        ? { schema: source.schema, node: root, value: this.#read }
        : { schema: { properties: { [first]: source.schema } }, node: root, value: this.#read };
    const parts: Part[] = [];
    let at: Level = top;
    for (const step of [first, ...steps]) {
      const below: Below | undefined = this.#below(at, step, source.field === undefined || at !== top);
      if (below === undefined) break;
      const { key, isRequired } = below;
      const nodes = nodesOf(below.schema, below.node, at.node);
      parts.push({ container: at.value as Container, key, isRequired, file, nodes });
      at = below;
    }
    return parts.findLast(({ isRequired }) => !isRequired);
  }

  #below({ schema, node, value }: Level, step: string, isInside: boolean): Below | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = keyIn(value, step);
    if (key === undefined) return undefined;
    const inner = (value as Record<string, ConfigValue>)[key];
    if (Array.isArray(value)) {
      const element = this.#tracks.elements.get(value)?.[Number(key)];
      return { key, isRequired: false, schema: schema.items ?? {}, node: element, value: inner };
    }
    if (isMap(schema)) {
      const entry = valueOf(propertyOf(node, key));
      return { key, isRequired: false, schema: schema.additionalProperties, node: entry, value: inner };
    }
    const part = fieldOf(schema, key) ?? {};
    const isRequired = schema.required?.includes(key) === true;
    const found = isInside && part['x-rest'] !== true ? foundIn(node, part) : node;
    return { key, isRequired, schema: part, node: found, value: inner };
  }
}

interface Level {
  schema: Schema;
  node: Node | undefined;
  value: ConfigValue;
}

interface Below extends Level {
  key: string;
  isRequired: boolean;
}

/** The reported place may have replacement characters instead of lone surrogates. */
function keyIn(value: object, step: string): string | undefined {
  return Object.hasOwn(value, step)
    ? step
    : Object.keys(value).find((key) => !key.isWellFormed() && key.toWellFormed() === step);
}

function nodesOf(schema: Schema, node: Node | undefined, parent: Node | undefined): Node[] {
  if (node === undefined) return [];
  const isGroup = node === parent && schema['x-key'] !== undefined && keysOf(schema).length === 0;
  if (!isGroup) return [node];
  return Object.values(schema.properties ?? {}).flatMap((part) => foundIn(node, part) ?? []);
}
