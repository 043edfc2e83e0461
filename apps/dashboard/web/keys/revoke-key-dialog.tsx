import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListedKeyAnswer, RouteCallsAnswer } from '../../src/keys/answers.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { FormDialog } from '../components/form-dialog.js';
import { Loaded } from '../components/loaded.js';
import { OperatorsLine } from '../components/operators-line.js';
import { useChange } from '../components/use-change.js';
import { keyCallsQuery, revokeKey } from './queries.js';

const COLUMNS = columnsOf<RouteCallsAnswer>({
  Route: (row) => row.route,
  Calls: (row) => row.calls.toLocaleString('en'),
});

export interface RevokeKeyDialogProps {
  readonly apiKey: ListedKeyAnswer;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const calls = useQuery(keyCallsQuery(apiKey.id));
  const revocation = useChange(revokeKey);
  return (
    <FormDialog
      title="Revoke key"
      action="Revoke"
      onClose={onClose}
      onSubmit={() => revocation.mutate(apiKey.id, { onSuccess: onClose })}
      change={revocation}
      isFinal
    >
      <Text>
        Requests with <bdi>{apiKey.name ?? apiKey.id}</bdi> are refused from now on. This cannot be undone.
      </Text>
      <Loaded query={calls}>
        {({ data }) => (
          <>
            <Text>
              {data.length === 0 ? 'The key made no calls in the last 7 days.' : 'Its calls of the last 7 days:'}
            </Text>
            <DataTable label="Calls of 7 days" columns={COLUMNS} rows={data} idOf={({ route }) => route} empty={null} />
          </>
        )}
      </Loaded>
      <OperatorsLine words={`keys revoke ${apiKey.id}`} />
    </FormDialog>
  );
}
