// Shows the recovery codes, once.
import { Button, Group } from '@mantine/core';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { saveText } from '../shared/save-text.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './account.module.css';

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTexts('account');
  const text = `${codes.join('\n')}\n`;
  return (
    <div role="group" aria-label={t('factor.codesTitle')}>
      <p className="hint">{t('factor.codes')}</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="sm">
        <CopyText text={text}>{t('factor.copyCodes')}</CopyText>
        <Button variant="default" size="xs" onClick={() => saveText('gantry-recovery-codes.txt', text)}>
          {t('factor.downloadCodes')}
        </Button>
        <Button size="xs" onClick={onKept}>
          {t('factor.kept')}
        </Button>
      </Group>
    </div>
  );
}
