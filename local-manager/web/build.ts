// Builds the page into the folder named by its only argument.
import { fileURLToPath } from 'node:url';
import { convertCssVariables, DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { build, type Plugin } from 'vite';
import { theme, themeVariables } from './src/theme.ts';

const [outDir] = process.argv.slice(2);
if (outDir === undefined) throw new Error('name the folder to build into');

const themeId = 'virtual:theme.css';

/** Writes the theme's variables into the style sheet, because the page may not add styles at run time. */
const themeStyles: Plugin = {
  name: 'theme-styles',
  resolveId: (id) => (id === themeId ? `\0${themeId}` : null),
  load: (id) =>
    id === `\0${themeId}`
      ? convertCssVariables(themeVariables(mergeMantineTheme(DEFAULT_THEME, theme)), ':root')
      : null,
};

await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  logLevel: 'warn',
  plugins: [themeStyles],
  build: {
    outDir,
    emptyOutDir: true,
    // Inlined files would be data: addresses, which the page's security policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // Libraries mark browser-only code; everything here is browser code.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
