// Colours of stores: text is readable with any colour of the owner.
import fc from 'fast-check';
import { contrastOf, paletteOf } from '../../src/pages/store/palette.ts';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);
const grey = fc
  .integer({ min: 0, max: 255 })
  .map((value) => `#${value.toString(16).padStart(2, '0').repeat(3)}`);
const any = fc.oneof(colour, grey);

it('are all readable', () => {
  fc.assert(
    fc.property(any, any, any, (accent, background, text) => {
      const palette = paletteOf({ accent, background, text });
      for (const behind of [palette.background, palette.card])
        for (const written of [palette.text, palette.dim, palette.link])
          expect(contrastOf(behind, written)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(palette.button, palette.onButton)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(palette.card, palette.buttonEdge)).toBeGreaterThanOrEqual(3);
    }),
    { numRuns: 2_000 },
  );
});

it('are those of the owner where they are readable', () => {
  const theme = { accent: '#ff8a5c', background: '#101418', text: '#f5f7fa' };
  expect(paletteOf(theme)).toMatchObject({
    scheme: 'dark',
    background: theme.background,
    text: theme.text,
    link: theme.accent,
    button: theme.accent,
    onButton: '#000000',
  });
  expect(paletteOf({ ...theme, text: '#202428' })).toMatchObject({ text: '#ffffff' });
});

it("contrast by the guidelines' formula", () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
