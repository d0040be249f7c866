// Secrets among the game settings are kept until they are replaced.
import { changesOf, withDraft, type Setting } from '../../local-manager/web/src/game-config/drafts.ts';
import { hidden, settings, writeValue } from '../../local-manager/src/game-config/settings.ts';

const password = settings.find(({ isSecret }) => isSecret)!;
const shown: Setting = { ...password, value: hidden, serverValue: hidden };
const name: Setting = { ...settings[0]!, value: 'Sietch', serverValue: 'Sietch' };

it('are unchanged by a field that is emptied again', () => {
  const typed = withDraft({}, shown, 'a');
  expect(changesOf([shown], typed)).toMatchObject([{ value: 'a' }]);
  expect(changesOf([shown], withDraft(typed, shown, ''))).toEqual([]);
  expect(changesOf([shown], withDraft(typed, shown, null))).toMatchObject([{ value: null }]);
  expect(changesOf([name], withDraft({}, name, ''))).toMatchObject([{ value: '' }]);
});

it('are not replaced by their mask', () => {
  expect(() => writeValue(password, hidden, '')).toThrow(
    expect.objectContaining({ code: 'invalid_setting' }),
  );
});
