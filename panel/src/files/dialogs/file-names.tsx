// The files that a dialog is about, each with what became of it so far.
import { Alert } from '@mantine/core';
import { StateText } from '@gantry/ui/state-text.tsx';
import { reasonOf } from '../../api/problem.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from '../files.module.css';
import type { InstanceFile } from '../folder.ts';
import type { FileResults } from './each-file.ts';

interface FileNamesProps {
  files: readonly InstanceFile[];
  results: FileResults;
  isPending: boolean;
}

export function FileNames({ files, results, isPending }: FileNamesProps) {
  const t = useTexts('files');
  const left = files.filter(({ path }) => results.get(path) !== null).length;
  return (
    <>
      {results.size > 0 && !isPending && (
        <Alert color="yellow" role="alert" mb="sm">
          {t('each.left', { count: left, total: files.length })}
        </Alert>
      )}
      <ul className={classes.names} aria-label={t('each.list')} tabIndex={0}>
        {files.map(({ path, kind }) => (
          <li key={path}>
            {kind === 'directory' ? t('each.folder', { path }) : path} <Outcome result={results.get(path)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Outcome({ result }: { result: Error | null | undefined }) {
  const t = useTexts('files');
  if (result === undefined) return null;
  if (result === null) return <StateText tone="good">{t('each.done')}</StateText>;
  return (
    <>
      <StateText tone="bad">{t('each.failed')}</StateText>
      <div className="hint">{reasonOf(result)}</div>
    </>
  );
}
