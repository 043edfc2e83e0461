import { money } from '../components/formats.js';

interface ShareProps {
  /** In minor units to six decimals, as the server computed it: it is shown, and never added up. */
  readonly cents: string | null;
  readonly currency: string;
}

/** A part of an amount, rounded. The exact one is in the tip, because rounded ones may not add up. */
export function Share({ cents, currency }: ShareProps) {
  if (cents === null) return '–';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to reach the tip with the exact amount.
    <span data-tip={`${cents} ct`} tabIndex={0}>
      {money(Number(cents), currency)}
    </span>
  );
}
