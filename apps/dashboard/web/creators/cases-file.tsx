import { Anchor } from '@mantine/core';
import { addressOf } from '../api/client.js';

export function CasesFile({ creator }: { readonly creator: string }) {
  return (
    <Anchor href={addressOf(`/api/creators/${creator}/cases/file`)} download size="sm">
      Download all cases as CSV
    </Anchor>
  );
}
