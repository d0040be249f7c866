// Builds the panel into the folder named by its only argument.
import { buildPage } from '@gantry/ui/build/build-page.ts';
import { pluginKinds } from './build/plugin-kinds.ts';
import { theme, themeVariables } from './src/theme.ts';

await buildPage({
  root: import.meta.dirname,
  theme,
  themeVariables,
  chunkSizeWarningLimit: 1000,
  plugins: [pluginKinds()],
});
