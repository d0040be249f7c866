// The colours of a group, chosen from a palette; names of colours are typed below.
import { useTexts } from '../../../texts/texts.ts';
import { useEditing } from '../editing.ts';
import { valueAt, type Json, type Path } from '../../schema/data.ts';
import classes from './chat.module.css';

const targets = [
  { part: 'title', fallback: '#55aaff' },
  { part: 'username', fallback: '#55aaff' },
  { part: 'message', fallback: '#ffffff' },
] as const;

export function ColorFields({ path, group }: { path: Path; group: Json }) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  return (
    <div className={classes.colors}>
      {targets.map(({ part, fallback }) => {
        const value = valueAt(group, [part, 'color']);
        const color = typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : fallback;
        return (
          <label key={part} className={classes.color}>
            <input
              type="color"
              value={color}
              disabled={isReadOnly}
              onChange={(event) => set([...path, part, 'color'], event.currentTarget.value)}
            />
            {t(`chat.colors.${part}`)}
          </label>
        );
      })}
    </div>
  );
}
