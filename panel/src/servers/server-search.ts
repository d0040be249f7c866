// Which servers the list shows, as its address says, and how.
import * as v from 'valibot';
import type { Schemas } from '../api/operations.ts';
import { oneOf, text, textOr } from '../shared/address-values.ts';

export type Server = Schemas['GameInstance'];

export const noFilters = {
  search: '',
  state: '',
  host: '',
  cluster: '',
  group: 'none',
  sort: 'name',
} as const;

export const serverSearch = v.object({
  search: text,
  state: text,
  host: text,
  cluster: text,
  group: oneOf(['none', 'host', 'cluster'], 'none'),
  sort: textOr('name'),
});

export type ServerSearch = v.InferOutput<typeof serverSearch>;

export function matching(servers: readonly Server[], filters: ServerSearch): Server[] {
  const wanted = filters.search.trim().toLowerCase();
  return servers.filter(
    ({ name, hostname, map, state, host_id, cluster_id }) =>
      (filters.state === '' || state === filters.state) &&
      (filters.host === '' || host_id === filters.host) &&
      (filters.cluster === '' || cluster_id === filters.cluster) &&
      (wanted === '' || [name, hostname, map ?? ''].some((each) => each.toLowerCase().includes(wanted))),
  );
}
