import { List, Text } from '@mantine/core';
import type { OverviewAnswer } from '../../src/overview/answers.js';
import { FormDialog } from '../components/form-dialog.js';
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
    <FormDialog
      title="Bind this agency"
      action="Confirm binding"
      onClose={onClose}
      onSubmit={() => change.mutate(agency.owner_user_id, { onSuccess: onClose })}
      change={change}
      isFinal
    >
      <Text>
        The API then belongs to <bdi>{agency.name ?? agency.id}</bdi> with its present owner, {agency.owner_user_id}.
        This revokes:
      </Text>
      <List aria-label="This revokes" size="sm">
        <List.Item>{count(revokes.keys, 'API key')}</List.Item>
        <List.Item>{count(revokes.endpoints, 'webhook endpoint')}</List.Item>
      </List>
    </FormDialog>
  );
}
