// How templates come into the file of an agent, with one to copy.
import { Anchor } from '@mantine/core';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { docsLink } from '../session/docs-link.ts';
import { useTexts } from '../texts/texts.ts';
import { templateExample } from './template-example.ts';

export function TemplateHelp() {
  const t = useTexts('hosts');
  return (
    <div className="stack">
      <p className="hint">{t('templates.none')}</p>
      <CopyField value={templateExample} label={t('templates.example')} action={t('templates.copyExample')} />
      <p className="hint">
        {t('templates.afterwards')}{' '}
        <Anchor {...docsLink('/api/docs/guides/managed-instances')}>{t('templates.guide')}</Anchor>
      </p>
    </div>
  );
}
