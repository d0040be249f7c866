// Writes a theme's variables into a style sheet at build time, so that the page has its colours before any script runs.
import {
  convertCssVariables,
  DEFAULT_THEME,
  mergeMantineTheme,
  type CSSVariablesResolver,
  type MantineThemeOverride,
} from '@mantine/core';
import type { Plugin } from 'vite';

const themeId = 'virtual:theme.css';

/** Resolves `virtual:theme.css` to the variables of both colour schemes. */
export const themeStyles = (theme: MantineThemeOverride, variablesOf: CSSVariablesResolver): Plugin => ({
  name: 'theme-styles',
  resolveId: (id) => (id === themeId ? `\0${themeId}` : null),
  load: (id) =>
    id === `\0${themeId}`
      ? convertCssVariables(variablesOf(mergeMantineTheme(DEFAULT_THEME, theme)), ':root')
      : null,
});
