// The panel names every type of event, in English as the catalogue does.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventTypes } from '../../../src/platform-contract/events.ts';
import { root } from '../../support/contract.ts';
import { inPanelWords } from '../../support/panel-words.ts';

type Texts = Record<'types' | 'sentences', Record<string, Record<string, string>>> & {
  areas: Record<string, string>;
};

const texts = JSON.parse(readFileSync(resolve(root, 'panel/src/texts/en/event-types.json'), 'utf8')) as Texts;

const flat = (part: Record<string, Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(part).flatMap(([area, names]) =>
      Object.entries(names).map(([name, text]) => [`${area}.${name}`, text]),
    ),
  );

const types = Object.entries(eventTypes);

/** The panel shows a command's verb in words, which the catalogue cannot. */
const ownSentences = {
  'command.created': '{{verb}} was requested on {{instance_name}}.',
  'command.finished': '{{verb}} on {{instance_name}}: {{status}}.',
};

describe('the event types of the panel', () => {
  it('are those of the catalogue, in its words', () => {
    expect(flat(texts.types)).toEqual(
      Object.fromEntries(types.map(([type, { summary }]) => [type, inPanelWords(summary)])),
    );
    expect(flat(texts.sentences)).toEqual({
      ...Object.fromEntries(types.map(([type, { sentence }]) => [type, inPanelWords(sentence)])),
      ...ownSentences,
    });
  });

  it('are in areas that have names', () => {
    const areas = new Set(types.map(([type]) => type.split('.')[0]));
    expect(Object.keys(texts.areas).sort()).toEqual([...areas].sort());
  });
});
