// The theme that both products share: colours that are readable in both schemes, and the sizes of its parts.
import {
  createTheme,
  defaultCssVariablesResolver,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

export interface Accent {
  /** Name of the accent among the theme's colours. */
  name: string;
  colors: MantineColorsTuple;
}

/** The base theme with a product's own accent colour. */
export const themeWith = ({ name, colors }: Accent): MantineThemeOverride =>
  createTheme({
    primaryColor: name,
    primaryShade: { light: 7, dark: 4 },
    autoContrast: true,
    // The contrast of the first colour differs between the schemes, so it is a variable.
    variantColorResolver: (input) => {
      const resolved = defaultVariantColorsResolver(input);
      // White is readable on the darkest red only, in both schemes.
      if (input.variant === 'filled' && input.color === 'red')
        return { ...resolved, background: 'var(--mantine-color-red-9)', hover: '#a82222', color: '#fff' };
      const color = input.color ?? input.theme.primaryColor;
      return input.variant === 'filled' && color === input.theme.primaryColor
        ? { ...resolved, color: 'var(--mantine-primary-color-contrast)' }
        : resolved;
    },
    defaultRadius: 'md',
    cursorType: 'pointer',
    fontFamily: 'Inter, "Segoe UI Variable Text", "Segoe UI", system-ui, -apple-system, sans-serif',
    fontFamilyMonospace: '"Cascadia Mono", Consolas, "DejaVu Sans Mono", ui-monospace, monospace',
    headings: { fontWeight: '650' },
    black: '#1d2026',
    colors: {
      [name]: colors,
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

type Variables = Record<string, string>;

/** The theme as variables of the style sheet; a product may give its own values for each scheme. */
export const variablesWith =
  (own: { light: Variables; dark: Variables }): CSSVariablesResolver =>
  (merged) => {
    const { variables, light, dark } = defaultCssVariablesResolver(merged);
    return {
      variables,
      light: {
        ...light,
        '--mantine-color-dimmed': '#5a616d',
        '--mantine-color-placeholder': '#6b7280',
        '--mantine-color-error': '#b42318',
        '--mantine-color-yellow-light-color': '#7c4a03',
        '--mantine-color-orange-light-color': '#8a3409',
        '--mantine-color-green-light-color': '#1c6b31',
        '--mantine-color-teal-light-color': '#076b4d',
        '--state-good': '#1a7f4b',
        '--state-busy': '#a0580b',
        '--state-bad': '#b42318',
        '--state-idle': '#6b7280',
        ...own.light,
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
        ...own.dark,
      },
    };
  };
