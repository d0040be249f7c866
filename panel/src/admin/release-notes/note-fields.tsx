// The title, the text with its preview, and the time of a release note.
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { faultAt, hasCode } from '../../api/problem.ts';
import { localInput } from '../../shared/local-time.ts';
import { MarkdownText } from '../../shared/markdown-text.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from './note.module.css';
import type { NoteValues } from './note-values.ts';

interface NoteFieldsProps {
  values: NoteValues;
  onChange: (change: Partial<NoteValues>) => void;
  error: Error | null;
}

/** Fields that show their own faults. */
export const pointers = ['/title', '/text', '/published_at'] as const;

/** The fault of the whole form; a taken time is shown at its field. */
export const faultOfForm = (error: Error | null): Error | null =>
  hasCode(error, 'time_taken') ? null : error;

const hourMs = 3_600_000;

export function NoteFields({ values, onChange, error }: NoteFieldsProps) {
  const t = useTexts('admin-release-notes');
  const timeFault = faultAt(error, '/published_at', 'time_taken');
  return (
    <>
      <div className={classes.columns}>
        <Section title={t('note')}>
          <div className="stack">
            <TextInput
              label={t('fields.title')}
              maxLength={100}
              value={values.title}
              error={faultAt(error, '/title')}
              onChange={(event) => onChange({ title: event.currentTarget.value })}
            />
            <Textarea
              label={t('fields.text')}
              description={t('fields.textHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autosize
              minRows={10}
              maxRows={30}
              maxLength={20_000}
              value={values.text}
              error={faultAt(error, '/text')}
              onChange={(event) => onChange({ text: event.currentTarget.value })}
            />
          </div>
        </Section>
        <Section title={t('preview')}>
          {values.title.trim() === '' && values.text.trim() === '' ? (
            <p className="hint">{t('noPreview')}</p>
          ) : (
            <>
              <p className={classes.title}>{values.title}</p>
              <MarkdownText text={values.text} />
            </>
          )}
        </Section>
      </div>
      <Section title={t('publication')}>
        <div className="fields">
          <NativeSelect
            label={t('fields.publication')}
            value={values.publication}
            data={(['draft', 'now', 'at'] as const).map((value) => ({
              value,
              label: t(`publications.${value}`),
            }))}
            error={values.publication === 'now' ? timeFault : undefined}
            onChange={(event) => {
              const publication = event.currentTarget.value as NoteValues['publication'];
              onChange({
                publication,
                ...(publication === 'at' && values.at === '' && { at: localInput(serverNow() + hourMs) }),
              });
            }}
          />
          {values.publication === 'at' && (
            <TextInput
              type="datetime-local"
              label={t('fields.at')}
              description={t('fields.atHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={values.at}
              error={timeFault}
              onChange={(event) => onChange({ at: event.currentTarget.value })}
            />
          )}
        </div>
      </Section>
    </>
  );
}
