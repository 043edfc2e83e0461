import { Progress } from '@mantine/core';

/** The whole bar has the role: the part that is done has no width at first, so nobody would see it. */
export function ProgressBar({ name, percent }: { readonly name: string; readonly percent: number }) {
  return (
    <Progress.Root
      w="100%"
      size="lg"
      role="progressbar"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
    >
      <Progress.Section value={percent} withAria={false} />
    </Progress.Root>
  );
}
