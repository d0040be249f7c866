// What became of one application, in words.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './apply.module.css';

export type Application = Schemas['PluginConfigApplication'];

const tones: Record<Application['status'], Tone> = {
  preparing: 'busy',
  applying: 'busy',
  succeeded: 'good',
  failed: 'bad',
};

/** Files that no plugin has read yet are not what was meant. */
export const toneOf = ({ status, is_loaded }: Application): Tone =>
  status === 'succeeded' && is_loaded === false ? 'busy' : tones[status];

export function OutcomeState({ application }: { application: Application }) {
  const t = useTexts('plugin-configs');
  const { status, is_loaded } = application;
  const word = status === 'succeeded' && is_loaded === false ? 'written' : status;
  return <StateText tone={toneOf(application)}>{t(`outcome.${word}`)}</StateText>;
}

/** Why, and what the plugins have changed again. */
export function OutcomeDetail({ application }: { application: Application }) {
  const t = useTexts('plugin-configs');
  const { error, detail, remarks } = application;
  return (
    <>
      {(error?.detail ?? detail) !== null && <p className={classes.detail}>{error?.detail ?? detail}</p>}
      {remarks.length > 0 && (
        <details className={classes.remarks}>
          <summary>{t('outcome.remarks', { count: remarks.length })}</summary>
          <ul>
            {remarks.map(({ place, detail: text }) => (
              <li key={`${place} ${text}`}>
                <strong>{place}</strong> {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
