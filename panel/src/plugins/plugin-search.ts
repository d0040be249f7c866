// Which plugins the list shows, as its address says.
import * as v from 'valibot';
import type { Schemas } from '../api/operations.ts';
import { anyOf, text, textOr } from '../shared/address-values.ts';

export type Plugin = Schemas['Plugin'];

/** What needs attention stands first. */
export const states = ['failed', 'unloaded', 'loaded'] as const satisfies Plugin['state'][];

export const noFilters = { search: '', state: '', sort: 'name' } as const;

export const pluginSearch = v.object({
  search: text,
  state: anyOf(states),
  sort: textOr('name'),
});

export type PluginSearch = v.InferOutput<typeof pluginSearch>;

export function matching(plugins: readonly Plugin[], { search, state }: PluginSearch): Plugin[] {
  const wanted = search.trim().toLowerCase();
  return plugins.filter(
    ({ name, title, author, state: each }) =>
      (state === '' || each === state) &&
      [name, title, author].some((text) => text?.toLowerCase().includes(wanted) === true),
  );
}
