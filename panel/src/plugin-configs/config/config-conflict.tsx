// The places at which the own settings differ from those that another user has saved meanwhile.
import { Conflict } from '../../shared/conflict.tsx';
import type { Draft } from '../../shared/draft.ts';
import { useTexts } from '../../texts/texts.ts';
import { differences, placeOf, valueAt, type Path } from '../schema/data.ts';
import classes from './config.module.css';
import type { ConfigValues } from './kept-changes.ts';

const maxPlaces = 12;
const maxLength = 80;

export function ConfigConflict({ draft }: { draft: Draft<ConfigValues> }) {
  const t = useTexts('plugin-configs');
  const { theirs, values } = draft;
  if (theirs === null) return null;
  const places = differences(values.data, theirs.data);
  return (
    <Conflict
      draft={draft}
      fields={[
        { key: 'name', name: t('config.name'), show: ({ name }) => name },
        {
          key: 'data',
          name: t('config.settings'),
          show: ({ data }) => (
            <ul className={classes.places}>
              {places.slice(0, maxPlaces).map((path) => (
                <li key={placeOf(path)}>
                  <strong>{placeOf(path)}</strong> {shown(data, path) ?? t('field.notSet')}
                </li>
              ))}
              {places.length > maxPlaces && (
                <li>{t('findings.more', { count: places.length - maxPlaces })}</li>
              )}
            </ul>
          ),
        },
      ]}
    />
  );
}

function shown(data: ConfigValues['data'], path: Path): string | undefined {
  const value = valueAt(data, path);
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text;
}
