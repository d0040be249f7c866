// Whether a release note is a draft, scheduled or published.
import { StateText } from '@gantry/ui/state-text.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useFormats } from '../../shared/formats.ts';
import { useTexts } from '../../texts/texts.ts';

export function NoteState({ publishedAt }: { publishedAt: string | null }) {
  const t = useTexts('admin-release-notes');
  const formats = useFormats();
  if (publishedAt === null) return <StateText tone="idle">{t('states.draft')}</StateText>;
  if (Date.parse(publishedAt) > serverNow())
    return (
      <StateText tone="busy">{t('states.scheduled', { date: formats.dateTime(publishedAt) })}</StateText>
    );
  return <StateText tone="good">{t('states.published')}</StateText>;
}
