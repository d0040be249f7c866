// What the addresses of the pages say: filters, the view of a configuration, and how a new one begins.
import * as v from 'valibot';
import { oneOf, text, textOr } from '../shared/address-values.ts';

export const noListFilters = { search: '', kind: '', sort: 'name' } as const;

export const listSearch = v.object({
  search: text,
  kind: text,
  sort: textOr('name'),
});

export const noConfigSearch = { view: 'edit' } as const;

export const views = ['edit', 'json', 'servers'] as const;

export const configSearch = v.object({
  view: oneOf(views, 'edit'),
});

export type View = (typeof views)[number];

export const noNewSearch = { kind: '', from: 'preset' } as const;

export const sources = ['preset', 'server', 'files'] as const;

export const newSearch = v.object({
  kind: text,
  from: oneOf(sources, 'preset'),
});

export type Source = (typeof sources)[number];
