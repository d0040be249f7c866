// Starts the panel: texts and session first, then the page of the address.
import '@mantine/core/styles.layer.css';
import 'virtual:theme.css';
import '@gantry/ui/page.css';
import './panel.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { router } from './router.ts';
import { styleNonce } from './shared/style-nonce.ts';
import { UiWords } from './shared/ui-words.tsx';
import { startTexts } from './texts/texts.ts';
import { theme } from './theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has lost its root');
await startTexts();
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <UiWords>
          <RouterProvider router={router} />
        </UiWords>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
