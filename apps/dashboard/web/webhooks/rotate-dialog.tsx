import { Text } from '@mantine/core';
import { useState } from 'react';
import { Choice } from '../components/choice.js';
import { FormDialog } from '../components/form-dialog.js';
import { useChange } from '../components/use-change.js';
import { OVERLAP_NAMES, type Overlap, rotateSecret } from './queries.js';
import type { OneEndpointProps } from './types-dialog.js';

export interface RotateDialogProps extends OneEndpointProps {
  readonly onSecret: (secret: string) => void;
}

export function RotateDialog({ endpoint, onClose, onSecret }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotation = useChange(rotateSecret);
  return (
    <FormDialog
      title="Rotate secret"
      action="Rotate secret"
      onClose={onClose}
      onSubmit={() => rotation.mutate({ id: endpoint.id, overlap }, { onSuccess: ({ secret }) => onSecret(secret) })}
      change={rotation}
    >
      <Text size="sm">
        A new secret signs what is sent to <bdi>{endpoint.url}</bdi>. While the old one signs too, a receiver may check
        with either.
      </Text>
      <Choice label="Old secret signs for" names={OVERLAP_NAMES} value={overlap} onChange={setOverlap} />
    </FormDialog>
  );
}
