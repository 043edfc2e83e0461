import { Container, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useConnectionWatch } from '../api/connection-watch.js';
import { Unreachable } from '../api/errors.js';
import { ErrorAlert } from '../components/error-alert.js';

/** In place of a page that could not be loaded. It loads again when the service is back. */
export function PageError({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const reachable = useConnectionWatch();
  const isBack = reachable && error instanceof Unreachable;
  useEffect(() => {
    if (isBack) void router.invalidate();
  }, [router, isBack]);
  return (
    <>
      <Title order={1}>Something went wrong</Title>
      <ErrorAlert error={error instanceof Error ? error : new Error(String(error))} />
    </>
  );
}

/** Where not even the frame of the pages could be loaded. */
export function FrameError({ error }: { readonly error: unknown }) {
  return (
    <Container size="sm" mt="xl" component="main">
      <PageError error={error} />
    </Container>
  );
}
