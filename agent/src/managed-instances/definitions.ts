// Stores the instances created from templates in one file that is replaced atomically.
import { readFileSync } from 'node:fs';
import { replaceDurably } from '../state-files/durable-file.ts';
import { ownSchemas } from '../messages.ts';
import { SettingError, isMissing } from '../errors.ts';
import type { Values } from './templates.ts';

export interface Definition {
  name: string;
  template: string;
  parameters: Values;
  /** Increases by one with each change. */
  version: number;
  /** Id of the last command that changed it; a repetition of that command does nothing. */
  by: string;
}

interface Content {
  v: 1;
  instances: Definition[];
}

const text = { type: 'string' };
const isContent = ownSchemas().compile<Content>({
  type: 'object',
  required: ['v', 'instances'],
  properties: {
    v: { const: 1 },
    instances: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'template', 'parameters', 'version', 'by'],
        properties: {
          name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' },
          template: text,
          parameters: { type: 'object', additionalProperties: text },
          version: { type: 'integer', minimum: 1 },
          by: text,
        },
      },
    },
  },
});

export class Definitions {
  readonly #path: string;
  #byName: ReadonlyMap<string, Definition>;

  /** Throws a SettingError when the file cannot be read, so that no instance is forgotten. */
  constructor(path: string) {
    this.#path = path;
    this.#byName = new Map(readContent(path).map((definition) => [definition.name, definition]));
  }

  get all(): Definition[] {
    return [...this.#byName.values()];
  }

  get(name: string): Definition | undefined {
    return this.#byName.get(name);
  }

  /** Resolves once it is on disk. On failure nothing has changed. */
  async put(definition: Definition): Promise<void> {
    await this.#replace(new Map(this.#byName).set(definition.name, definition));
  }

  async remove(name: string): Promise<void> {
    const rest = new Map(this.#byName);
    rest.delete(name);
    await this.#replace(rest);
  }

  async #replace(definitions: ReadonlyMap<string, Definition>): Promise<void> {
    const content: Content = { v: 1, instances: [...definitions.values()] };
    await replaceDurably(this.#path, JSON.stringify(content, null, 2));
    this.#byName = definitions;
  }
}

function readContent(path: string): Definition[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return [];
    const why = error instanceof Error ? error.message : 'it cannot be read';
    throw new SettingError(`${path}: the instances that were made from templates cannot be read: ${why}`);
  }
  if (!isContent(content)) throw new SettingError(`${path} was not written by an agent of this version`);
  return content.instances;
}
