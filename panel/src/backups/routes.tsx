// The route of a server's backups.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { instanceRoute } from '../instance/base-route.tsx';
import { loadTexts } from '../texts/texts.ts';
import { kinds } from './kinds.ts';
import { anyOf, text, textOr } from '../shared/address-values.ts';

export const backupRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/backups',
  validateSearch: v.object({
    kind: anyOf(kinds),
    /** The backup whose details are shown. */
    backup: text,
    sort: textOr('-created'),
  }),
  search: { middlewares: [stripSearchParams({ kind: '' as const, backup: '', sort: '-created' })] },
  loader: () => loadTexts('backups'),
  component: lazyRouteComponent(() => import('./backups-page.tsx'), 'BackupsPage'),
});
