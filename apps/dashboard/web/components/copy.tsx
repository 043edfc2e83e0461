import { Button, CopyButton } from '@mantine/core';

export interface CopyProps {
  readonly value: string;
  /** What the button says that it copies, where that is not the value. */
  readonly what?: string;
}

export function Copy({ value, what = value }: CopyProps) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button variant="subtle" size="compact-xs" onClick={copy} aria-label={`Copy ${what}`}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}
