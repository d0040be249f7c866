// Adds an entry under a name that is typed.
import { ActionIcon, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import classes from './parts.module.css';

interface NewNameProps {
  label: string;
  names: readonly string[];
  maxLength?: number;
  onAdd: (name: string) => void;
}

export function NewName({ label, names, maxLength = 100, onAdd }: NewNameProps) {
  const t = useTexts('plugin-configs');
  const [name, setName] = useState('');
  const isTaken = names.includes(name.trim());
  const add = () => {
    if (name.trim() === '' || isTaken) return;
    onAdd(name.trim());
    setName('');
  };
  return (
    <div className={classes.newName}>
      <TextInput
        className="grow"
        aria-label={label}
        placeholder={label}
        value={name}
        maxLength={maxLength}
        error={isTaken ? t('field.nameTaken') : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t('field.addEntry')}
        disabled={name.trim() === ''}
        onClick={add}
      >
        <Plus size={16} aria-hidden="true" />
      </ActionIcon>
    </div>
  );
}
