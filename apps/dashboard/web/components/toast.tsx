import { useEffect } from 'react';
import { Signal, useSignal } from '../api/client.js';
import classes from './toast.module.css';

const SHOWN_MS = 5_000;
const said = new Signal<{ readonly text: string } | null>(null);

/** Says what has happened, to the eye and to assistive technology. */
export const say = (text: string): void => said.set({ text });

/** The element is always there: assistive technology speaks only what changes in one that it knows. */
export function Toast() {
  const shown = useSignal(said);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => said.set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <output className={classes.toast} aria-label="Notification" data-empty={shown === null || undefined}>
      {shown?.text}
    </output>
  );
}
