// Switches this session to another license of the user, and opens a page of it.
import { useRouter } from '@tanstack/react-router';
import { useWrite } from '../api/writing.ts';
import { useEnterLicense } from './use-enter-license.ts';

export function useSwitchLicense() {
  const router = useRouter();
  const enter = useEnterLicense();
  const switching = useWrite('POST /auth/switch-license');
  const switchTo = async (licenseId: string, address = '/') => {
    const switched = await switching.mutateAsync({ body: { license_id: licenseId } }).catch(() => undefined);
    if (switched === undefined) return;
    // The page that is open belongs to the former license.
    await router.navigate({ to: '/account' });
    await enter(switched);
    await router.invalidate();
    router.history.push(address);
  };
  return { switchTo, switching };
}
