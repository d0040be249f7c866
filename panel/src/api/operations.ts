// Operations of the contract by name, such as `POST /api/fleet/clusters`, with their types.
import type { components, paths } from '../../../generated/platform.d.ts';
import type { Data, Init, Method, PathWith } from '../../../shared/typed-fetch.ts';

export type Schemas = components['schemas'];

/** Paths that can be read. */
export type ReadPath = PathWith<paths, 'get'>;

export type ReadInit<Path extends ReadPath> = Init<paths, Path, 'get'>;

export type Reply<Path extends ReadPath> = Data<paths, Path, 'get', object>;

type OperationOf<M extends Method> = `${Uppercase<M>} ${PathWith<paths, M> & string}`;

export type Operation = { [M in Method]: OperationOf<M> }[Method];

/** Operations that change something. */
export type WriteOperation = { [M in Exclude<Method, 'get'>]: OperationOf<M> }[Exclude<Method, 'get'>];

type MethodIn<Name extends string> = Name extends `${infer M} ${string}` ? Lowercase<M> & Method : never;

type PathIn<Name extends string> = Name extends `${string} ${infer Path}` ? Path & keyof paths : never;

export type WriteInit<Name extends WriteOperation> = Init<paths, PathIn<Name>, MethodIn<Name>>;

export type WriteReply<Name extends WriteOperation> = Data<paths, PathIn<Name>, MethodIn<Name>, object>;

/** The lists of the contract, which come in pages. */
export type ListPath = {
  [Path in ReadPath]: ItemOf<Reply<Path>> extends never ? never : Path;
}[ReadPath];

type ItemOf<Page> = Page extends { data: (infer Item)[]; next_cursor: string | null } ? Item : never;

/** An entry of a list. */
export type Entry<Path extends ListPath> = ItemOf<Reply<Path>>;
