import { Button, CopyButton } from '@mantine/core';

export function Copy({ value, what }: { readonly value: string; readonly what?: string }) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={copy}
          aria-label={what === undefined ? undefined : `Copy ${what}`}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}
