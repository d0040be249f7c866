// Routes of a server's files: a folder, and one file in the editor.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { instanceRoute } from '../instance/base-route.tsx';
import { loadTexts } from '../texts/texts.ts';
import { text, textOr, valueOr } from '../shared/address-values.ts';

/** The address turns names of digits into numbers. */
const path = valueOr(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), '');

const folderRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/files',
  validateSearch: v.object({
    path,
    search: text,
    sort: textOr('name'),
  }),
  search: { middlewares: [stripSearchParams({ path: '', search: '', sort: 'name' })] },
  loader: () => loadTexts('files'),
  component: lazyRouteComponent(() => import('./folder-page.tsx'), 'FolderPage'),
});

const fileRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/files/edit',
  validateSearch: v.object({ path }),
  search: { middlewares: [stripSearchParams({ path: '' })] },
  loader: () => loadTexts('files'),
  component: lazyRouteComponent(() => import('./editor/file-page.tsx'), 'FilePage'),
});

export const fileRoutes = [folderRoute, fileRoute] as const;
