// Takes the configuration file: chosen or dropped.
import { FileButton } from '@gantry/ui/file-button.tsx';
import { Alert } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../shared/formats.ts';
import { useTexts } from '../../texts/texts.ts';
import { maxBytes, readConfiguration, type ConfigurationFile } from './document.ts';
import classes from './import.module.css';

interface FileChoiceProps {
  file: ConfigurationFile | null;
  onFile: (file: ConfigurationFile) => void;
}

export function FileChoice({ file, onFile }: FileChoiceProps) {
  const t = useTexts('license');
  const formats = useFormats();
  const [fault, setFault] = useState<'tooLarge' | 'unknown' | null>(null);
  const [isOver, setIsOver] = useState(false);
  const take = async (given: File | undefined) => {
    if (given === undefined) return;
    if (given.size > maxBytes) return setFault('tooLarge');
    const read = readConfiguration(given.name, await given.text());
    setFault(read === null ? 'unknown' : null);
    if (read !== null) onFile(read);
  };
  return (
    <>
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
        <FileUp size={22} aria-hidden="true" />
        <span className={classes.fileName}>
          {file === null ? t('import.drop') : file.name}
          {file !== null && file.exportedAt !== null && (
            <span className="dim">
              {' '}
              · {t('import.exportedAt', { date: formats.dateTime(file.exportedAt) })}
            </span>
          )}
        </span>
        <FileButton
          accept="application/json,.json"
          variant="default"
          onChoose={([given]) => void take(given)}
        >
          {file === null ? t('import.choose') : t('import.chooseOther')}
        </FileButton>
      </div>
      {fault !== null && (
        <Alert color="red" role="alert" mt="md">
          {fault === 'tooLarge'
            ? t('import.tooLarge', { max: formats.bytes(maxBytes) })
            : t('import.notADocument')}
        </Alert>
      )}
    </>
  );
}
