// Converts configurations to files and back, and reports the faults of either in the caller's terms.
import { DomainError, type Fault } from '../../errors.ts';
import type { Codec } from '../../plugin-configs/codec/codec.ts';
import { CodecBusy } from '../../plugin-configs/codec/threads.ts';
import type {
  WorkResult,
  WorkInput,
  Previewed,
  WorkName,
  WrittenFile,
} from '../../plugin-configs/codec/works.ts';
import { JsonFault } from '../../plugin-configs/json-text.ts';
import type { ConfigData, Contents, NotRead, PluginKind } from '../../plugin-configs/kind.ts';
import type { Remark } from '../../plugin-configs/reading.ts';

/** Maximum faults reported; callers read no more of them. */
const maxFaults = 50;

export interface ReadFiles<Data extends ConfigData> {
  config: Data;
  /** Places in the files that are not in the configuration: the first hundred. */
  notRead: NotRead[];
  /** Number of such places in all. */
  notReadCount: number;
}

export class FilesOfKinds {
  readonly #codec: Codec;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /** `config` is a configuration as JSON. Throws if none of it applies to what the server has. */
  async write(kind: PluginKind, config: string, present: Contents): Promise<WrittenFile[]> {
    const { files, foreign } = await this.#run('write', kind, { config, present: [...present] });
    if (foreign !== null)
      throw new DomainError(
        'not_supported',
        `The server has ${foreign}, which supports no part of this configuration.`,
      );
    return files;
  }

  /** Previews `write`: also returns what happens to each file, and which parts no file receives. */
  preview(kind: PluginKind, config: string, present: Contents): Promise<Previewed> {
    return this.#run('preview', kind, { config, present: [...present] });
  }

  /** Reads the parts of the files that the contract accepts. Throws if there are none. */
  async read<Data extends ConfigData>(kind: PluginKind<Data>, contents: Contents): Promise<ReadFiles<Data>> {
    const { config, isEmpty, generation, notRead, notReadCount } = await this.#run('read', kind, {
      contents: [...contents],
    });
    if (isEmpty) {
      const version = generation === null ? '' : ` The files belong to ${generation}.`;
      throw new DomainError(
        'plugin_file_unreadable',
        `${[...contents.keys()].join(', ')}: no part can be imported as a configuration of the kind ${kind.definition.name}.${version}`,
      );
    }
    return { config: JSON.parse(config) as Data, notRead, notReadCount };
  }

  /**
   * Returns the parts of a configuration that the files lack. Files in `known` contain everything that belongs in them.
   */
  async compare(
    kind: PluginKind,
    config: string,
    present: Contents,
    known: readonly string[],
  ): Promise<Remark[]> {
    return this.#run('compare', kind, { config, present: [...present], known });
  }

  /**
   * Returns faults by the contract's schema, or by the configuration's own contradictions, with pointers from
   * `config_data`.
   */
  async faults(kind: PluginKind, config: ConfigData): Promise<Fault[]> {
    const remarks = await this.#run('faults', kind, { config: JSON.stringify(config) });
    return remarks.slice(0, maxFaults).map(inBody);
  }

  async #run<Name extends WorkName>(
    name: Name,
    kind: PluginKind,
    input: WorkInput<Name>,
  ): Promise<WorkResult<Name>> {
    try {
      return await this.#codec.run(name, kind, input);
    } catch (error) {
      if (error instanceof JsonFault)
        throw new DomainError('plugin_file_unreadable', error.message, { cause: error });
      if (error instanceof CodecBusy) throw new DomainError('unavailable', error.message, { cause: error });
      throw error;
    }
  }
}

export function refuseFaulty<Data extends ConfigData>(kind: PluginKind<Data>, config: Data): void {
  const faults = kind.contradictions(config).slice(0, maxFaults).map(inBody);
  if (faults.length > 0)
    throw new DomainError(
      'plugin_config_invalid',
      faults
        .map(({ pointer, detail }) => `${pointer}: ${detail}`)
        .join('; ')
        .slice(0, 1000),
      { faults },
    );
}

const inBody = ({ pointer, detail }: Remark): Fault => ({
  in: 'body',
  pointer: `/config_data${pointer}`,
  detail,
});
