// Maps instances of a migration document to instances of a license, by names, since ids differ between licenses.
import type { Schemas } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';

export interface InstanceReference {
  host: string;
  instance: string;
}

export class InstanceMap {
  readonly #ids: ReadonlyMap<string, string>;

  private constructor(ids: ReadonlyMap<string, string>) {
    this.#ids = ids;
  }

  /** Uses the given mappings, and otherwise matches by the names of the host and the instance. */
  static async read(queries: Queries, mappings: readonly Schemas['InstanceMapping'][]): Promise<InstanceMap> {
    const instances = await queries
      .selectFrom('game_instance')
      .innerJoin('agent_host', 'agent_host.id', 'game_instance.host_id')
      .select(['game_instance.id', 'game_instance.name as instance', 'agent_host.hostname as host'])
      .execute();
    const known = new Set(instances.map(({ id }) => id));
    const ids = new Map<string, string>();
    const taken = new Set<string>();
    for (const [index, { instance_id: id, ...reference }] of mappings.entries()) {
      const pointer = `/instance_map/${index}`;
      if (!known.has(id)) throw unknownInstance(`${pointer}/instance_id`);
      if (ids.has(keyOf(reference)))
        throw invalidField({ in: 'body', pointer, detail: 'is already mapped by an earlier entry' });
      if (taken.has(id))
        throw invalidField({
          in: 'body',
          pointer: `${pointer}/instance_id`,
          detail: 'is already the target of another entry',
        });
      ids.set(keyOf(reference), id);
      taken.add(id);
    }
    for (const { id, ...reference } of instances)
      if (!taken.has(id) && !ids.has(keyOf(reference))) ids.set(keyOf(reference), id);
    return new InstanceMap(ids);
  }

  idOf(reference: InstanceReference): string | undefined {
    return this.#ids.get(keyOf(reference));
  }

  /** Returns why an item for that instance cannot be imported; null if it can. */
  reasonToSkip(reference: InstanceReference): string | null {
    if (this.idOf(reference) !== undefined) return null;
    return `The license has no instance ${reference.instance} on a host ${reference.host}; name one in instance_map.`;
  }
}

/** Unambiguous, since neither name may contain a slash. */
const keyOf = ({ host, instance }: InstanceReference) => `${host}/${instance}`;

function unknownInstance(pointer: string): DomainError {
  const { code, message } = notFound('instance');
  return new DomainError(code, message, {
    faults: [{ in: 'body', pointer, detail: 'is not an instance of this license' }],
  });
}
