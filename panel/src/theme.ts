// The theme of the panel: the shared one, denser and with the accent colour of this product.
import { mergeThemeOverrides } from '@mantine/core';
import { themeWith, variablesWith } from '@gantry/ui/theme.ts';

export const theme = mergeThemeOverrides(
  themeWith({
    name: 'cobalt',
    colors: [
      '#eef2ff',
      '#dfe5fd',
      '#bccaf9',
      '#9db1f6',
      '#8aa2f5',
      '#6581ea',
      '#4a67dd',
      '#3552c8',
      '#2b43a6',
      '#243784',
    ],
  }),
  {
    fontSizes: { xs: '12px', sm: '13.5px', md: '14px', lg: '16px', xl: '18px' },
    headings: {
      sizes: {
        h1: { fontSize: '22px', lineHeight: '1.3' },
        h2: { fontSize: '20px', lineHeight: '1.3' },
        h3: { fontSize: '17px', lineHeight: '1.35' },
        h4: { fontSize: '15px', lineHeight: '1.4' },
      },
    },
    components: {
      Button: { defaultProps: { size: 'sm' } },
      Badge: { defaultProps: { tt: 'none', radius: 'sm' } },
      Skeleton: { defaultProps: { radius: 'sm' } },
      // Transitions of menus would show them away from their place first.
      Menu: { defaultProps: { transitionProps: { duration: 0 } } },
      Popover: { defaultProps: { transitionProps: { duration: 0 } } },
    },
  },
);

/** The theme as variables of the style sheet. */
export const themeVariables = variablesWith({
  light: {
    '--page-background': '#f6f7f9',
    '--page-surface': '#ffffff',
    '--page-border': '#dfe2e8',
    '--page-quiet': '#f4f5f8',
    '--page-accent': '#3552c8',
    '--page-accent-quiet': '#eaeefc',
  },
  dark: {
    '--page-background': '#121418',
    '--page-surface': '#191c21',
    '--page-border': '#2c3038',
    '--page-quiet': '#20242b',
    '--page-accent': '#8aa2f5',
    '--page-accent-quiet': '#242b45',
  },
});
