// The names of the licenses that entries of the platform's audit log mention by ID.
import { useEffect, useMemo } from 'react';
import { usePages } from '../api/reading.ts';
import type { AuditEntry } from './audit-search.ts';
import type { Names } from './words.ts';

const limit = 100;
/** Licenses beyond are shown by their ID. */
const maxCount = 5_000;

/** Reads licenses, newest first, until those of all entries are known. */
export function useLicenseNames(entries: readonly AuditEntry[] | undefined, chosen: string): Names {
  const wanted = useMemo(
    () => [
      ...new Set([
        ...(chosen === '' ? [] : [chosen]),
        ...(entries ?? []).flatMap(({ license_id }) => (license_id === null ? [] : [license_id])),
      ]),
    ],
    [entries, chosen],
  );
  const { items, hasNextPage, isFetching, isError, fetchNextPage } = usePages(
    '/api/admin/licenses',
    {},
    { limit, enabled: wanted.length > 0 },
  );
  const names = useMemo(() => new Map((items ?? []).map(({ id, name }) => [id, name] as const)), [items]);
  const isMissing = names.size < maxCount && wanted.some((id) => !names.has(id));
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetching, isError, fetchNextPage]);
  return names;
}
