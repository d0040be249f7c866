// Builds the panel into the folder named by its only argument.
import { fileURLToPath } from 'node:url';
import { themeStyles } from '@gantry/ui/build/theme-styles.ts';
import { build } from 'vite';
import { theme, themeVariables } from './src/theme.ts';

const [outDir] = process.argv.slice(2);
if (outDir === undefined) throw new Error('name the folder to build into');

await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  logLevel: 'warn',
  plugins: [themeStyles(theme, themeVariables)],
  build: {
    outDir,
    emptyOutDir: true,
    // Inlined files would be data: addresses, which the page's security policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Libraries mark browser-only code; everything here is browser code.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
