// Timed commands: repeated, once, at times of the day, and when players join or leave.
import { Section } from '@gantry/ui/section.tsx';
import { useTexts } from '../../../texts/texts.ts';
import type { EditorProps } from '../editing.ts';
import { Field } from '../generic/field.tsx';
import { isOf } from '../../schema/schema.ts';
import { Timer } from './timer.tsx';

const timers = ['timer_repeat', 'timer_once', 'real_time', 'in_game_time'] as const;
const moments = ['on_connect', 'on_disconnect'] as const;

export default function TimedEditor({ data, schema, generation }: EditorProps) {
  const t = useTexts('plugin-configs');
  return (
    <>
      {timers
        .filter((name) => isOf(schema.properties[name] ?? {}, generation))
        .map((name) => (
          <Timer key={name} name={name} schema={schema.properties[name] ?? {}} value={data[name]} />
        ))}
      <Section title={t('timed.players')} lead={t('timed.playersLead')}>
        {moments.map((name) => (
          <Field
            key={name}
            path={[name]}
            field={name}
            // The description explains the API.
            schema={{ ...schema.properties[name], description: t(`timed.${name}`) }}
            value={data[name]}
            isRequired={false}
            filter={{ generation, search: '', isSetOnly: false }}
          />
        ))}
      </Section>
    </>
  );
}
