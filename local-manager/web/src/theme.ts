// The theme of the page: the shared one, with the accent colour of this product.
import { Input, type MantineThemeOverride } from '@mantine/core';
import { themeWith, variablesWith } from '@gantry/ui/theme.ts';

const shared = themeWith({
  name: 'spice',
  colors: [
    '#fff6e9',
    '#fbe8cd',
    '#f5d09c',
    '#efb668',
    '#e9a03f',
    '#dd8a1f',
    '#c47213',
    '#a0580b',
    '#814709',
    '#66390a',
  ],
});

export const theme: MantineThemeOverride = {
  ...shared,
  components: {
    // Hints stand below, so that fields beside each other are in line.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
  },
};

/** The theme as variables of the style sheet. */
export const themeVariables = variablesWith({
  light: {
    '--page-background': '#f5f4f1',
    '--page-surface': '#ffffff',
    '--page-border': '#e2e0da',
    '--page-quiet': '#faf9f7',
    '--page-accent': '#a0580b',
  },
  dark: { '--page-accent': '#e9a03f' },
});
