// Edits console commands: one field each, placeholders to insert, and what the game server receives.
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { partsOf, placeholders, type Example } from './command-text.ts';
import classes from './items.module.css';

interface CommandListProps {
  label: string;
  hint: string;
  commands: readonly string[];
  onChange: (commands: string[]) => void;
  example: Example;
  /** The objection to the command at an index, or to the list without one. */
  faultOf: (index?: number) => string | undefined;
  isDisabled: boolean;
}

const maxCommands = 10;

export function CommandList(props: CommandListProps) {
  const { label, hint, commands, onChange, example, faultOf, isDisabled } = props;
  const t = useTexts('store');
  const last = useRef<HTMLInputElement | null>(null);
  const set = (index: number, text: string) =>
    onChange(commands.map((command, place) => (place === index ? text : command)));
  const insert = (placeholder: string) => {
    const field = last.current;
    const index = Number(field?.dataset['index'] ?? commands.length - 1);
    const command = commands[index];
    if (command === undefined) return onChange([...commands, placeholder]);
    const [start, end] = [field?.selectionStart ?? command.length, field?.selectionEnd ?? command.length];
    set(index, command.slice(0, start) + placeholder + command.slice(end));
    field?.focus();
  };
  const fault = faultOf();
  return (
    <fieldset className={classes.commands}>
      <legend>{label}</legend>
      <p className="hint">{hint}</p>
      {commands.map((command, index) => (
        <div key={index} className={classes.command}>
          <div className={classes.commandField}>
            <TextInput
              className="grow"
              classNames={{ input: classes.commandInput ?? '' }}
              aria-label={t('item.commandNumber', { label, number: index + 1 })}
              placeholder="oxide.usergroup add {steam_id} vip"
              maxLength={400}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              disabled={isDisabled}
              value={command}
              data-index={index}
              error={faultOf(index)}
              onFocus={(event) => {
                last.current = event.currentTarget;
              }}
              onChange={(event) => set(index, event.currentTarget.value)}
            />
            {!isDisabled && (
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t('item.removeCommand', { label, number: index + 1 })}
                onClick={() => {
                  last.current = null;
                  onChange(commands.filter((_, place) => place !== index));
                }}
              >
                <X size={16} />
              </ActionIcon>
            )}
          </div>
          {command.trim() !== '' && <CommandPreview command={command} example={example} />}
        </div>
      ))}
      {fault !== undefined && <p className={classes.fault}>{fault}</p>}
      {!isDisabled && (
        <div className={classes.commandTools}>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            disabled={commands.length >= maxCommands}
            onClick={() => onChange([...commands, ''])}
          >
            {t('item.addCommand')}
          </Button>
          {commands.length > 0 && (
            <span className={classes.placeholders} role="group" aria-label={t('item.insert', { label })}>
              {placeholders.map((name) => (
                <button
                  key={name}
                  type="button"
                  className={classes.placeholder}
                  title={t(`item.placeholders.${name}`)}
                  // The field keeps its selection.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => insert(`{${name}}`)}
                >
                  {`{${name}}`}
                </button>
              ))}
            </span>
          )}
        </div>
      )}
    </fieldset>
  );
}

function CommandPreview({ command, example }: { command: string; example: Example }) {
  const t = useTexts('store');
  const parts = partsOf(command, example);
  return (
    <p className={classes.preview}>
      <span className="visuallyHidden">{t('item.previewLabel')} </span>
      <span aria-hidden="true">› </span>
      {parts.map(({ text, kind }, index) => (
        <span key={index} {...(kind !== 'plain' && { className: classes[kind] })}>
          {text}
        </span>
      ))}
      {parts.some(({ kind }) => kind === 'unknown') && (
        <span className={classes.fault}> {t('item.unknownPlaceholder')}</span>
      )}
    </p>
  );
}
