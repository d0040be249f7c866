// Leaves a page for one that keeps nothing unsaved, before something that the page would not outlast.
import { useRouter } from '@tanstack/react-router';

const stays = new EventTarget();

/** Of a user who was asked, and keeps unsaved changes. */
export const staysOnPage = (): boolean => stays.dispatchEvent(new Event('stay'));

/** Resolves to false if the user stays. The router's own promise would wait for a later navigation then. */
export function useLeavePage(): () => Promise<boolean> {
  const router = useRouter();
  return () =>
    new Promise((resolve, reject) => {
      const stay = () => resolve(false);
      stays.addEventListener('stay', stay, { once: true });
      void router
        .navigate({ to: '/account' })
        .then(() => resolve(true), reject)
        .finally(() => stays.removeEventListener('stay', stay));
    });
}
