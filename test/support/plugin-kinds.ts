// The kinds of plugin configurations, with their schemas from the contract.
import { documentFile } from '../../src/platform-contract/document-file.ts';
import { readDocument } from '../../src/contract/document.ts';
import type { PluginKind } from '../../src/plugin-configs/kind.ts';
import { kindNamed, pluginKinds } from '../../src/plugin-configs/registry.ts';
import type { ConfigSchema } from '../../src/plugin-configs/schema.ts';

const kinds = pluginKinds(readDocument(documentFile).components['schemas'] as Record<string, ConfigSchema>);

export const kindOf = (name: string): PluginKind => kindNamed(kinds, name);
