// How each part of the document is imported.
import { NativeSelect } from '@mantine/core';
import { useTexts } from '../../texts/texts.ts';
import { isPart } from '../parts.ts';
import type { ConfigurationFile, Mode } from './document.ts';
import classes from './import.module.css';

interface PartModesProps {
  parts: ConfigurationFile['parts'];
  modes: Readonly<Record<string, Mode>>;
  onModes: (modes: Readonly<Record<string, Mode>>) => void;
}

const choices: readonly Mode[] = ['merge', 'add', 'skip'];

export function PartModes({ parts, modes, onModes }: PartModesProps) {
  const t = useTexts('license');
  if (parts.length === 0) return <p className="hint">{t('import.noParts')}</p>;
  return (
    <ul className={classes.rows}>
      {parts.map(({ name, count }) => {
        const title = isPart(name) ? t(`parts.${name}`) : name;
        return (
          <li key={name} className={classes.row}>
            <span className="grow">
              {title} <span className="dim">{t('import.entries', { count })}</span>
            </span>
            <NativeSelect
              aria-label={title}
              value={modes[name] ?? 'merge'}
              data={choices.map((value) => ({ value, label: t(`import.modes.${value}`) }))}
              onChange={(event) => onModes({ ...modes, [name]: event.currentTarget.value as Mode })}
            />
          </li>
        );
      })}
    </ul>
  );
}
