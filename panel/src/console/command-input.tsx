// The line for typing console commands; arrow keys recall earlier ones.
import { Button, TextInput } from '@mantine/core';
import { CornerDownLeft } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { draftKey, readTabDraft, writeTabDraft } from '../shared/draft-storage.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './console-page.module.css';

interface CommandInputProps {
  instanceId: string;
  /** Returns whether the line was sent. */
  onSend: (line: string) => boolean;
  isDisabled: boolean;
}

const maxLength = 1_000;
const maxHistory = 100;

/** Kept for the tab and its user only: commands can contain passwords. */
const keyFor = (instanceId: string) => draftKey('console', instanceId);

function historyOf(instanceId: string): string[] {
  return JSON.parse(readTabDraft(keyFor(instanceId)) ?? '[]') as string[];
}

export function CommandInput({ instanceId, onSend, isDisabled }: CommandInputProps) {
  const t = useTexts('instance');
  const [line, setLine] = useState('');
  const [history, setHistory] = useState(() => historyOf(instanceId));
  /** How far back the shown command is; 0 is the one being typed. */
  const [back, setBack] = useState(0);
  /** What was typed before earlier commands were recalled. */
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const tooLong =
    line.length > maxLength ? t('console.tooLong', { count: line.length, max: maxLength }) : null;

  const recall = (next: number) => {
    const at = Math.max(0, Math.min(history.length, next));
    if (back === 0) setTyped(line);
    setBack(at);
    setLine(at === 0 ? typed : (history[history.length - at] ?? ''));
  };
  const send = () => {
    if (line.trim() === '' || tooLong !== null || !onSend(line)) return;
    const next = [...history.filter((earlier) => earlier !== line), line].slice(-maxHistory);
    writeTabDraft(keyFor(instanceId), JSON.stringify(next));
    setHistory(next);
    setBack(0);
    setLine('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    recall(back + (event.key === 'ArrowUp' ? 1 : -1));
  };
  return (
    <form
      className={classes.command}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextInput
        className="grow"
        classNames={{ input: classes.commandField ?? '' }}
        aria-label={t('console.input_label')}
        placeholder={t('console.input_placeholder')}
        title={t('console.history')}
        value={line}
        disabled={isDisabled}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        error={tooLong ?? fault}
        onKeyDown={press}
        onPaste={(event) => {
          // The field itself would join the lines to another command.
          if (!/[\r\n]/.test(event.clipboardData.getData('text').trim())) return;
          event.preventDefault();
          setFault(t('console.severalLines'));
        }}
        onChange={(event) => {
          setBack(0);
          setFault(null);
          setLine(event.currentTarget.value);
        }}
      />
      <Button
        type="submit"
        disabled={isDisabled || line.trim() === '' || tooLong !== null}
        leftSection={<CornerDownLeft size={15} aria-hidden="true" />}
      >
        {t('console.send')}
      </Button>
    </form>
  );
}
