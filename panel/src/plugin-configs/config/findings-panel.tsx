// What was found in the settings, each with the way to its place.
import { Alert, UnstyledButton } from '@mantine/core';
import { Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { Finding } from '../editors/editing.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './config.module.css';

interface FindingsPanelProps {
  findings: readonly Finding[];
  onChoose: (finding: Finding) => void;
}

const looks = {
  fault: { color: 'red', icon: OctagonAlert },
  warning: { color: 'yellow', icon: TriangleAlert },
  note: { color: 'gray', icon: Info },
} as const;

const maxShown = 5;

export function FindingsPanel({ findings, onChoose }: FindingsPanelProps) {
  const tones = (['fault', 'warning', 'note'] as const).filter((tone) =>
    findings.some((finding) => finding.tone === tone),
  );
  return tones.map((tone) => (
    <FindingList
      key={tone}
      tone={tone}
      findings={findings.filter((finding) => finding.tone === tone)}
      onChoose={onChoose}
    />
  ));
}

function FindingList({ tone, findings, onChoose }: FindingsPanelProps & { tone: Finding['tone'] }) {
  const t = useTexts('plugin-configs');
  const { color, icon: Icon } = looks[tone];
  const [first, rest] = [findings.slice(0, maxShown), findings.slice(maxShown)];
  const entries = (shown: readonly Finding[]) => (
    <ul className={classes.findings}>
      {shown.map((finding) => (
        <li key={`${finding.pointer} ${finding.detail}`}>
          <UnstyledButton className={classes.place ?? ''} onClick={() => onChoose(finding)}>
            {finding.place === '' ? t('findings.whole') : finding.place}
          </UnstyledButton>{' '}
          {finding.detail}
        </li>
      ))}
    </ul>
  );
  return (
    <Alert
      color={color}
      role={tone === 'fault' ? 'alert' : 'status'}
      icon={<Icon size={18} aria-hidden="true" />}
      title={t(`findings.${tone}`, { count: findings.length })}
    >
      {entries(first)}
      {rest.length > 0 && (
        <details>
          <summary className={classes.more}>{t('findings.more', { count: rest.length })}</summary>
          {entries(rest)}
        </details>
      )}
    </Alert>
  );
}
