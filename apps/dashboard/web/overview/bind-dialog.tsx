import { List, Text } from '@mantine/core';
import type { OverviewAnswer } from '../../answers/overview.js';
import { useSession } from '../api/session.js';
import { FormDialog } from '../components/form-dialog.js';
import { counted } from '../components/formats.js';
import { bindAgency } from './queries.js';

export interface BindDialogProps {
  readonly agency: NonNullable<OverviewAnswer['agency']>;
  readonly revokes: OverviewAnswer['binding']['revokes'];
  readonly onClose: () => void;
}

/** Only the owner can bind, so the owner whom the platform names is the person here. */
export function BindDialog({ agency, revokes, onClose }: BindDialogProps) {
  const { user } = useSession();
  const revoked = [
    ...(revokes.keys > 0 ? [counted(revokes.keys, 'API key')] : []),
    ...(revokes.endpoints > 0 ? [counted(revokes.endpoints, 'webhook endpoint')] : []),
  ];
  return (
    <FormDialog
      title="Bind this agency"
      action="Confirm binding"
      send={() => bindAgency(agency.owner_user_id)}
      said={`${agency.name} is bound to the API`}
      onClose={onClose}
      role="alertdialog"
      isFinal={revoked.length > 0}
    >
      <Text>
        The API then belongs to <bdi>{agency.name}</bdi>, with <bdi>{user.name ?? 'you'}</bdi> as its owner.
      </Text>
      {revoked.length > 0 && (
        <>
          <Text>This revokes:</Text>
          <List aria-label="This revokes" size="sm">
            {revoked.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </>
      )}
    </FormDialog>
  );
}
