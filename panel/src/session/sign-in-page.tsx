// The page for signing in.
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.ts';
import { Gate } from './gate.tsx';
import { SignInForm } from './sign-in-form.tsx';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const t = useTexts('session');
  const router = useRouter();
  const { next } = route.useSearch();
  return (
    <Gate title={t('signIn.title')}>
      <SignInForm onSignedIn={() => router.history.push(next ?? '/')} />
      <p className="afterForm">
        <Link to="/forgot-password">{t('signIn.forgot')}</Link>
      </p>
    </Gate>
  );
}
