// The plugins that could not be loaded, each with the compiler's message.
import { Section } from '@gantry/ui/section.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Plugin } from './plugin-search.ts';
import classes from './plugins.module.css';

export function FailedPlugins({ plugins }: { plugins: readonly Plugin[] }) {
  const t = useTexts('plugins');
  const failed = plugins.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return null;
  return (
    <Section title={t('failed.title', { count: failed.length })} lead={t('failed.lead')} tone="danger">
      <ul className={classes.failed}>
        {failed.map(({ name, file, error }) => (
          <li key={name}>
            <strong>{file ?? name}</strong>
            <pre className={classes.message}>{error ?? t('failed.noReason')}</pre>
          </li>
        ))}
      </ul>
    </Section>
  );
}
