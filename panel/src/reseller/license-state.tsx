// The status of a provisioned license.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';

type Status = Schemas['ResellerLicenseStatus'];

const tones: Record<Status, Tone> = { active: 'good', suspended: 'idle', revoked: 'bad' };

export function LicenseState({ status }: { status: Status }) {
  const t = useTexts('reseller');
  return <StateText tone={tones[status]}>{t(`status.${status}`)}</StateText>;
}
