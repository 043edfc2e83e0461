import { money } from '../components/formats.js';

/** A part of an amount, rounded. The exact one, as the server computed it, is in the tip: rounded ones may not add up. */
export function Share({ cents, currency }: { readonly cents: string | null; readonly currency: string }) {
  if (cents === null) return '–';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to reach the tip with the exact amount.
    <span data-tip={`${cents} ct`} tabIndex={0}>
      {money(Number(cents), currency)}
    </span>
  );
}
