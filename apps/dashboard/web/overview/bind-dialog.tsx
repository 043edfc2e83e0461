import { List, Text } from '@mantine/core';
import type { OverviewAnswer } from '../api/types.gen.js';
import { ConfirmDialog } from '../components/confirm-dialog.js';
import { useChange } from '../components/use-change.js';
import { bindAgency } from './queries.js';

export interface BindDialogProps {
  readonly agency: NonNullable<OverviewAnswer['agency']>;
  readonly revokes: OverviewAnswer['binding']['revokes'];
  readonly onClose: () => void;
}

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

export function BindDialog({ agency, revokes, onClose }: BindDialogProps) {
  const change = useChange(bindAgency);
  return (
    <ConfirmDialog
      title="Bind this agency"
      action="Confirm binding"
      onClose={onClose}
      onConfirm={() => change.mutate(agency.owner_user_id, { onSuccess: onClose })}
      isPending={change.isPending}
      error={change.error}
    >
      <Text mb="xs">
        The API then belongs to <bdi>{agency.name ?? agency.id}</bdi> with its present owner, {agency.owner_user_id}.
        This revokes:
      </Text>
      <List aria-label="This revokes" size="sm">
        <List.Item>{count(revokes.keys, 'API key')}</List.Item>
        <List.Item>{count(revokes.endpoints, 'webhook endpoint')}</List.Item>
      </List>
    </ConfirmDialog>
  );
}
