// The account of the signed-in user: password, second factor and sessions.
import { useMe } from '../api/me.ts';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { FactorSection } from './factor-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function AccountPage() {
  const t = useTexts('account');
  const me = useMe();
  return (
    <Page title={t('title')} lead={t('lead', { email: me.email })} width="narrow">
      <PasswordSection />
      <FactorSection isOn={me.is_second_factor_on} />
      <SessionsSection />
    </Page>
  );
}
