// Takes the CSV file with the servers: chosen or dropped.
import { FileButton } from '@gantry/ui/file-button.tsx';
import { Alert, Button } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../shared/formats.ts';
import { saveCsv } from '../../shared/save-csv.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from '../reseller.module.css';
import { fields, maxRows, readServers, type ServersFile } from './servers-file.ts';

type Problem = 'empty' | 'tooLong' | 'unreadable';

const example = ['srv-1001', 'rust-1001.example.net', 'ada@example.com'];

export function FileChoice({ onFile }: { onFile: (file: ServersFile) => void }) {
  const t = useTexts('reseller');
  const formats = useFormats();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isOver, setIsOver] = useState(false);
  const take = async (given: File | undefined) => {
    if (given === undefined) return;
    const read = await serversIn(given);
    setProblem(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') onFile(read);
  };
  return (
    <Section
      title={t('file.title')}
      lead={t('file.lead')}
      aside={
        <Button variant="default" size="xs" onClick={() => saveCsv('servers.csv', [fields, example])}>
          {t('file.example')}
        </Button>
      }
    >
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <FileSpreadsheet size={24} aria-hidden="true" />
        <span>{t('file.drop')}</span>
        <FileButton accept="text/csv,.csv,.txt" variant="default" onChoose={([given]) => void take(given)}>
          {t('file.choose')}
        </FileButton>
      </div>
      {problem !== null && (
        <Alert color="red" role="alert" mt="md">
          {t(`file.problems.${problem}`, { max: formats.number(maxRows) })}
        </Alert>
      )}
    </Section>
  );
}

async function serversIn(given: File): Promise<ServersFile | Problem> {
  try {
    const read = readServers(given.name, await given.text());
    const count = read.rows.length - (read.hasHeader ? 1 : 0);
    if (count <= 0) return 'empty';
    return count > maxRows ? 'tooLong' : read;
  } catch (error) {
    if (error instanceof SyntaxError) return 'unreadable';
    throw error;
  }
}
