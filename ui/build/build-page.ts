// Builds a page of ours with Vite, into the folder named by the program's only argument.
import type { CSSVariablesResolver, MantineThemeOverride } from '@mantine/core';
import { build, type Plugin } from 'vite';
import { themeStyles } from './theme-styles.ts';

export interface PageBuild {
  /** The folder with the page's `index.html`. */
  root: string;
  theme: MantineThemeOverride;
  themeVariables: CSSVariablesResolver;
  /** Size of a chunk in kB above which Vite warns. */
  chunkSizeWarningLimit: number;
  plugins?: readonly Plugin[];
}

export async function buildPage({
  root,
  theme,
  themeVariables,
  chunkSizeWarningLimit,
  plugins = [],
}: PageBuild): Promise<void> {
  const [outDir] = process.argv.slice(2);
  if (outDir === undefined) throw new Error('name the folder to build into');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [themeStyles(theme, themeVariables), ...plugins],
    build: {
      outDir,
      emptyOutDir: true,
      // Inlined files would be data: addresses, which the page's security policy refuses.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit,
      rolldownOptions: {
        // Libraries mark browser-only code; everything here is browser code.
        onwarn: (warning, warn) => {
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
        },
      },
    },
  });
}
