// A line of the chat as the game shows it.
import type { CSSProperties, ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { valueAt, type Json } from '../../schema/data.ts';
import classes from './chat.module.css';

const defaults = { title: '[Player]', color: '#55aaff', message: 'white', size: 15 };
const placeholder = /(\{(?:Title|Username|ID|Message|Date|Time|Group)\})/;

export function ChatLine({ group }: { group: Json }) {
  const t = useTexts('plugin-configs');
  const text = (path: readonly string[], fallback: string) => {
    const value = valueAt(group, path);
    return typeof value === 'string' ? value : fallback;
  };
  const look = (part: string, color: string): CSSProperties => {
    const size = valueAt(group, [part, 'size']);
    return {
      color: cssColor(text([part, 'color'], color)),
      fontSize: typeof size === 'number' ? Math.min(size, 40) : defaults.size,
    };
  };
  const isHidden = valueAt(group, ['title', 'is_hidden']) === true;
  const parts: Record<string, ReactNode> = {
    '{Title}': isHidden ? null : (
      <span style={look('title', defaults.color)}>{text(['title', 'text'], defaults.title)}</span>
    ),
    '{Username}': <span style={look('username', defaults.color)}>{t('chat.player')}</span>,
    '{Message}': <span style={look('message', defaults.message)}>{t('chat.message')}</span>,
    '{ID}': '76561198000000000',
    '{Group}': text(['group'], ''),
    '{Date}': '2026-11-23',
    '{Time}': '20:15',
  };
  return (
    <p className={classes.line}>
      {text(['format', 'chat'], '{Title} {Username}: {Message}')
        .split(placeholder)
        .map((part, index) => (
          <span key={index}>{Object.hasOwn(parts, part) ? parts[part] : part}</span>
        ))}
    </p>
  );
}

/** The game takes names and codes, with or without the sign. */
const cssColor = (color: string): string =>
  /^[0-9a-f]{6}([0-9a-f]{2})?$/i.test(color) ? `#${color}` : color;
