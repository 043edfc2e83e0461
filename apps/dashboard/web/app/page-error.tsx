import { Container, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Unreachable } from '../api/client.js';
import { useConnectionWatch } from '../api/live.js';
import { ErrorAlert } from '../components/error-alert.js';
import { LinkTo } from '../components/id.js';

export function PageNotFound() {
  return (
    <>
      <Title order={1}>Page not found</Title>
      <Text>
        There is no page at this address. <LinkTo to="/">Go to the overview.</LinkTo>
      </Text>
    </>
  );
}

/** Replaces a page that could not be loaded, and loads it again when the service is back. */
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

/** Replaces the frame of the pages. */
export function FrameError({ error }: { readonly error: unknown }) {
  return (
    <Container size="sm" mt="xl" component="main">
      <PageError error={error} />
    </Container>
  );
}
