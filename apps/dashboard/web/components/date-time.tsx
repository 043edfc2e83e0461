import { ago, exactTime } from './formats.js';
import { useNow } from './now.js';

/** A time as people say it. The exact time, in the reader's zone and in UTC, is in its tip and its accessible name. */
export function DateTime({ at }: { readonly at: number | null }) {
  const now = useNow();
  if (at === null) return '–';
  const [shown, exact] = [ago(at, now), exactTime(at)];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to reach the tip with the exact time.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: ARIA 1.2 lets an author name a `time`.
    <time dateTime={new Date(at).toISOString()} aria-label={`${shown}, ${exact}`} data-tip={exact} tabIndex={0}>
      {shown}
    </time>
  );
}
