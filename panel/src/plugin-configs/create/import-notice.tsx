// What an import has left out, on the page of the new configuration.
import { Alert } from '@mantine/core';
import { FileCheck } from 'lucide-react';
import { useTexts } from '../../texts/texts.ts';
import classes from './create.module.css';
import { setImported, useImported } from './handed-over.ts';

export function ImportNotice({ configId }: { configId: string }) {
  const t = useTexts('plugin-configs');
  const common = useTexts('common');
  const imported = useImported(configId);
  if (imported === null) return null;
  const { not_read: notRead, not_read_count: count } = imported;
  return (
    <Alert
      color={count === 0 ? 'green' : 'blue'}
      role="status"
      icon={<FileCheck size={18} aria-hidden="true" />}
      title={t('imported.title')}
      withCloseButton
      closeButtonLabel={common('actions.close')}
      onClose={() => setImported(configId, null)}
    >
      <p className="sentence">{count === 0 ? t('imported.whole') : t('imported.notRead', { count })}</p>
      {count > 0 && (
        <details>
          <summary className={classes.summary}>{t('imported.show')}</summary>
          <ul className={classes.notRead}>
            {notRead.map(({ file, pointer, place, detail }) => (
              <li key={`${file}${pointer}`}>
                <code>{file}</code> {place} <span className="dim">{detail}</span>
              </li>
            ))}
          </ul>
          {count > notRead.length && <p>{t('findings.more', { count: count - notRead.length })}</p>}
        </details>
      )}
    </Alert>
  );
}
