// Routes of the release notes as super admins write them: the list, a new note, and one note.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../shell/base-routes.tsx';
import { needs } from '../../shell/needs.ts';
import { loadTexts } from '../../texts/texts.ts';

const loader = () => loadTexts('admin', 'admin-release-notes');

const notesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/release-notes',
  loader,
  component: lazyRouteComponent(() => import('./notes-page.tsx'), 'NotesPage'),
});

const newNoteRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/release-notes/new',
  beforeLoad: needs('POST /api/admin/release-notes'),
  loader,
  component: lazyRouteComponent(() => import('./new-note-page.tsx'), 'NewNotePage'),
});

const noteRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/release-notes/$noteId',
  loader,
  component: lazyRouteComponent(() => import('./note-page.tsx'), 'NotePage'),
});

export const noteRoutes = [notesRoute, newNoteRoute, noteRoute] as const;
