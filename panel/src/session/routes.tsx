// Routes for visitors who are not signed in, and for users without a license.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import * as v from 'valibot';
import { frameRoute, rootRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { session } from './session.ts';

const loader = () => loadTexts('session');

/** Paths of this panel only; anything else would let a link lead a signed-in user elsewhere. */
const localPath = v.pipe(v.string(), v.regex(/^\/(?![/\\])/));

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: v.object({ next: v.optional(v.fallback(v.optional(localPath), undefined)) }),
  beforeLoad: ({ search }) => {
    if (session.phase === 'signed-in') throw redirect({ href: search.next ?? '/' });
  },
  loader,
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  loader,
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  loader,
  component: lazyRouteComponent(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  loader,
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
});

const acceptInvitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accept-invitation',
  loader,
  component: lazyRouteComponent(() => import('./accept-invitation-page.tsx'), 'AcceptInvitationPage'),
});

const newLicenseRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/new-license',
  loader,
  component: lazyRouteComponent(() => import('./new-license-page.tsx'), 'NewLicensePage'),
});

export const sessionRoutes = [
  signInRoute,
  setupRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  acceptInvitationRoute,
] as const;

export const sessionFrameRoutes = [newLicenseRoute] as const;
