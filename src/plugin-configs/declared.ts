// Completes the kinds that the contract declares with their code.
import type { Node } from 'jsonc-parser';
import {
  pluginKinds,
  pluginPresets,
  type PluginConfigData,
  type PluginKindName,
} from '../../generated/plugin-kinds.ts';
import type { KindCode, KindDeclaration, KindDefinition } from './definition.ts';
import type { Generation } from './generations.ts';
import { hasKey, propertyOf, valueOf } from './json-text.ts';

type Declared = typeof pluginKinds;

/** Recognizes a generation by the root of a file. */
export type Sign = (root: Node) => boolean;

/** How the contract declares a sign: any of the keys in the object at that path, or what the kind's code finds. */
interface DeclaredSign {
  readonly at?: readonly string[];
  readonly keys?: readonly string[];
  readonly code?: true;
}

interface DeclaredGeneration {
  readonly name: string;
  readonly title: string;
  readonly signs: Readonly<Record<string, DeclaredSign>>;
}

type GenerationOf<Name extends PluginKindName> = Declared[Name] extends {
  generations: readonly (infer Each extends DeclaredGeneration)[];
}
  ? Each
  : never;

type CodedFile<Signs> = {
  [File in keyof Signs]: Signs[File] extends { code: true } ? File : never;
}[keyof Signs];

/** The signs that the contract leaves to code, by generation and file. */
type CodedSigns<Each extends DeclaredGeneration> = {
  readonly [One in Each as CodedFile<One['signs']> extends never ? never : One['name']]: {
    readonly [File in CodedFile<One['signs']>]: Sign;
  };
};

type AnySigns = Readonly<Record<string, Readonly<Record<string, Sign>>>>;

/** The code of a declared kind; signs that its declaration leaves to code are required. */
export type CodeOf<Name extends PluginKindName> = KindCode<PluginConfigData[Name]> &
  (keyof CodedSigns<GenerationOf<Name>> extends never
    ? { readonly signs?: undefined }
    : { readonly signs: CodedSigns<GenerationOf<Name>> });

export function definitionOf<Name extends PluginKindName>(
  name: Name,
  code: KindCode<PluginConfigData[Name]> & { readonly signs?: AnySigns | undefined },
): KindDefinition<PluginConfigData[Name]> {
  const declared: KindDeclaration & { readonly generations?: readonly DeclaredGeneration[] } =
    pluginKinds[name];
  const { generations, ...rest } = declared;
  const { signs, ...own } = code;
  return {
    ...rest,
    ...own,
    ...(generations && { generations: generations.map((each) => generationOf(each, signs?.[each.name])) }),
    presets: pluginPresets[name],
  };
}

const generationOf = (
  { name, title, signs }: DeclaredGeneration,
  coded: Readonly<Record<string, Sign>> = {},
): Generation => ({
  name,
  title,
  signs: Object.fromEntries(
    Object.entries(signs).map(([file, { at = [], keys = [] }]) => {
      const hasAny = hasKey(...keys);
      return [file, (root) => hasAny(nodeAt(root, at)) || coded[file]?.(root) === true];
    }),
  ),
});

const nodeAt = (root: Node, path: readonly string[]) =>
  path.reduce<Node | undefined>((node, key) => valueOf(propertyOf(node, key)), root);
