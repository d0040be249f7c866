// Whether a key is accepted.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';

type Status = Schemas['ApiKeyStatus'];

const tones: Record<Status, Tone> = { active: 'good', expired: 'busy', revoked: 'idle' };

export const keyStatuses = Object.keys(tones) as Status[];

export function KeyStatus({ status }: { status: Status }) {
  const t = useTexts('api-keys');
  return <StateText tone={tones[status]}>{t(`status.${status}`)}</StateText>;
}
