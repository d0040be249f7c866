// What the portal reads; nothing is reported to holders of a host key, so it is read again from time to time.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { queries } from '../api/queries.ts';
import { csvOf, type Cell } from '../shared/csv.ts';
import { hostClient } from './host-client.ts';
import { beforeKeyChange, hostKey, identifierOf } from './host-key.ts';

type License = Schemas['ResellerLicense'];

const everyMs = 30_000;
const root = 'reseller';

/** Each key has its own entries. */
const keyOf = (...parts: readonly unknown[]) => [root, identifierOf(hostKey()), ...parts];

export interface LicenseFilter {
  q?: string;
  status?: Schemas['ResellerLicenseStatus'];
}

export function useLicenses(filter: LicenseFilter) {
  const query = useInfiniteQuery({
    queryKey: keyOf('licenses', filter),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const client = hostClient();
      const { data } = await client.GET('/api/host/licenses', {
        params: {
          query: { limit: 50, ...filter, ...(pageParam !== undefined && { cursor: pageParam }) },
        },
        signal,
      });
      return data as Schemas['ResellerLicensePage'];
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: everyMs,
    placeholderData: (former) => former,
  });
  const items = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data]);
  return { ...query, items, isReadingMore: query.isFetchingNextPage };
}

const columns = [
  'server_id',
  'hostname',
  'customer_email',
  'status',
  'status_changed_at',
  'created_at',
  'subdomain',
  'id',
  'license_id',
] as const satisfies readonly (keyof License)[];

/** All licenses that match, under the names of the contract, so that programs can read the file. */
export async function licensesAsCsv(filter: LicenseFilter): Promise<Blob> {
  const rows: Cell[][] = [[...columns]];
  for await (const license of hostClient().each('/api/host/licenses', { params: { query: filter } }))
    rows.push(columns.map((column) => license[column]));
  return new Blob([csvOf(rows)], { type: 'text/csv' });
}

export const useLicense = (id: string) =>
  useQuery({
    queryKey: keyOf('license', id),
    queryFn: async ({ signal }) => {
      const client = hostClient();
      const { data } = await client.GET('/api/host/licenses/{reseller_license_id}', {
        params: { path: { reseller_license_id: id } },
        signal,
      });
      return data as License;
    },
    refetchInterval: everyMs,
  });

export const useBill = (month: string) =>
  useQuery({
    queryKey: keyOf('bill', month),
    queryFn: async ({ signal }) => {
      const client = hostClient();
      const { data } = await client.GET('/api/host/billing/{month}', {
        params: { path: { month } },
        signal,
      });
      return data as Schemas['ResellerBill'];
    },
  });

export const refreshLicenses = (): void => void queries.invalidateQueries({ queryKey: [root] });

beforeKeyChange(() => queries.removeQueries({ queryKey: [root] }));
