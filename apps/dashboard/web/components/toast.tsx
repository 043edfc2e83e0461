import { Affix, Paper } from '@mantine/core';
import { useEffect } from 'react';
import { Signal, useSignal } from '../api/client.js';

const SHOWN_MS = 5_000;
const said = new Signal<{ readonly text: string } | null>(null);

/** Says what has happened, to the eye and to assistive technology. */
export const say = (text: string): void => said.set({ text });

/** A browser may refuse it, without a secure connection for example. */
export const copyText = (text: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => say('Copied'),
    () => say('The browser did not copy it'),
  );

/** The element is always there: assistive technology speaks only what changes in one that it knows. */
export function Toast() {
  const shown = useSignal(said);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => said.set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <Affix withinPortal={false} zIndex={400} maw="min(28rem, 90vw)" data-no-print>
      <Paper
        component="output"
        aria-label="Notification"
        display="block"
        px="sm"
        py={shown === null ? 0 : 'xs'}
        fz="sm"
        bg="gray.9"
        c="white"
      >
        {shown?.text}
      </Paper>
    </Affix>
  );
}
