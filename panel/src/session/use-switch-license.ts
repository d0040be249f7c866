// Switches this session to another license of the user, and opens a page of it.
import { useRouter } from '@tanstack/react-router';
import { useWrite } from '../api/writing.ts';
import { useLeavePage } from '../shared/leave-page.ts';
import { useEnterLicense } from './use-enter-license.ts';

export function useSwitchLicense() {
  const router = useRouter();
  const enter = useEnterLicense();
  const leavePage = useLeavePage();
  const switching = useWrite('POST /auth/switch-license');
  const switchTo = async (licenseId: string, address = '/') => {
    // The page that is open belongs to the former license. It is left first: its user may stay for unsaved changes.
    const former = router.history.location.href;
    if (!(await leavePage())) return;
    const switched = await switching.mutateAsync({ body: { license_id: licenseId } }).catch(() => undefined);
    if (switched === undefined) return router.history.replace(former);
    await enter(switched);
    await router.invalidate();
    router.history.push(address);
  };
  return { switchTo, switching };
}
