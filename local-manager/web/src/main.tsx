// Starts the page with its shared theme and query cache.
import '@mantine/core/styles.css';
import 'virtual:theme.css';
import '@gantry/ui/page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isWorthRetrying } from './api/problem.ts';
import { App } from './app.tsx';
import { OperationsProvider } from './operations/operations-context.tsx';
import { theme } from './theme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // The manager is on this machine, so queries do not need a network connection.
      networkMode: 'always',
      retry: (count, error) => count < 2 && isWorthRetrying(error),
    },
    mutations: { networkMode: 'always' },
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has lost its root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <OperationsProvider>
          <App />
        </OperationsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
