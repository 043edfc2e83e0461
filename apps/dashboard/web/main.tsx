import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import './app/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/server-query.js';
import { SIGNED_IN_PATH, SignedIn } from './app/signed-in.js';
import { allowDialogStyles, readableColors, styleNonce, theme } from './app/theme.js';
import { router } from './router.js';

allowDialogStyles();

// After a logout, Back must not show a page that the browser kept in spite of `no-store`.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload();
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      getStyleNonce={styleNonce}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        {window.location.pathname === SIGNED_IN_PATH ? <SignedIn /> : <RouterProvider router={router} />}
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
