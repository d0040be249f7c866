// The theme: colours that are readable in both schemes, and the sizes of its parts.
import {
  createTheme,
  defaultCssVariablesResolver,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
} from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'spice',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  // The contrast of the first colour differs between the schemes, so it is a variable.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    // White is readable on the darkest red only, in both schemes.
    if (input.variant === 'filled' && input.color === 'red')
      return { ...colors, background: 'var(--mantine-color-red-9)', hover: '#a82222', color: '#fff' };
    return input.variant === 'filled' && input.color === input.theme.primaryColor
      ? { ...colors, color: 'var(--mantine-primary-color-contrast)' }
      : colors;
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'Inter, "Segoe UI Variable Text", "Segoe UI", system-ui, -apple-system, sans-serif',
  fontFamilyMonospace: '"Cascadia Mono", Consolas, "DejaVu Sans Mono", ui-monospace, monospace',
  headings: { fontWeight: '650' },
  black: '#1d2026',
  colors: {
    spice: [
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
    dark: [
      '#d8dae0',
      '#bcc0c9',
      '#a3a9b5',
      '#7c8391',
      '#41464f',
      '#333840',
      '#262a31',
      '#1c1f25',
      '#15171b',
      '#0f1114',
    ],
  },
});

/** The theme as variables of the style sheet. */
export const themeVariables: CSSVariablesResolver = (merged) => {
  const { variables, light, dark } = defaultCssVariablesResolver(merged);
  return {
    variables,
    light: {
      ...light,
      '--mantine-color-dimmed': '#5a616d',
      '--mantine-color-placeholder': '#6b7280',
      '--mantine-color-error': '#b42318',
      '--mantine-color-yellow-light-color': '#7c4a03',
      '--page-background': '#f5f4f1',
      '--page-surface': '#ffffff',
      '--page-border': '#e2e0da',
      '--page-quiet': '#faf9f7',
      '--state-good': '#1a7f4b',
      '--state-busy': '#a0580b',
      '--state-bad': '#b42318',
      '--state-idle': '#6b7280',
    },
    dark: {
      ...dark,
      '--mantine-color-dimmed': '#a3a9b5',
      '--mantine-color-placeholder': '#8d94a1',
      '--mantine-color-error': '#ff9d94',
      '--page-background': '#15171b',
      '--page-surface': '#1c1f25',
      '--page-border': '#30343c',
      '--page-quiet': '#20242a',
      '--state-good': '#5fd09a',
      '--state-busy': '#e9a03f',
      '--state-bad': '#ff9d94',
      '--state-idle': '#a3a9b5',
    },
  };
};
