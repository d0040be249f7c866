// The reseller of the page, and the lists that show what changes with it.
import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../api/reading.ts';
import { everyMs } from '../every-ms.ts';

const route = getRouteApi('/frame/platform/resellers/$resellerId');

export function useReseller() {
  const { resellerId } = route.useParams();
  return useRead(
    '/api/admin/resellers/{reseller_id}',
    { params: { path: { reseller_id: resellerId } } },
    { every: everyMs },
  );
}

export const resellerPaths = ['/api/admin/resellers', '/api/admin/resellers/{reseller_id}'] as const;
