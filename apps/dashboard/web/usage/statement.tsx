import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UsageStatementAnswer } from '../../src/usage/answers.js';
import { addressOf } from '../api/client.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert } from '../components/error-alert.js';
import { Loaded } from '../components/loaded.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Panel } from '../components/panel.js';
import { ProgressBar } from '../components/progress-bar.js';
import { useChange } from '../components/use-change.js';
import { requestStatement, statementsQuery } from './queries.js';

/** The month as a signed file, which can be checked against a copy of the log. */
export function Statement({ month }: { readonly month: string }) {
  const statements = useQuery(statementsQuery);
  const request = useChange(requestStatement);
  return (
    <Panel title="Signed statement">
      <Text size="sm" mb="sm">
        A file that an auditor can check. It reads the whole history, so it is made in the background and kept for 24
        hours.
      </Text>
      <ErrorAlert error={request.error} title="The statement was not requested" />
      <Loaded query={statements}>
        {({ data }) => {
          const own = data.find((statement) => statement.month === month);
          return (
            <>
              {own !== undefined && <StatementState statement={own} />}
              {own?.state !== 'pending' && (
                <Button variant="default" onClick={() => request.mutate(month)} loading={request.isPending}>
                  Make the statement
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
      <OperatorsLine words={`usage statement --month ${month} --out usage-statement-${month}.json`} ofAgency />
    </Panel>
  );
}

function StatementState({ statement }: { readonly statement: UsageStatementAnswer }) {
  const { state, share, size } = statement;
  return (
    <>
      {state === 'pending' && (
        <Box mb="sm">
          <ProgressBar name="Statement" percent={share * 100} />
        </Box>
      )}
      {state === 'failed' && <Text mb="sm">It could not be made. Try again, or ask the operator.</Text>}
      {size > 0 && <StatementFile statement={statement} />}
    </>
  );
}

/** While a statement is made again, the earlier one. */
function StatementFile({ statement: { month, size, expires_at } }: { readonly statement: UsageStatementAnswer }) {
  return (
    <Group mb="sm">
      <Anchor href={addressOf(`/api/usage/statements/${month}/file`)} download>
        Download the statement of {month}
      </Anchor>
      <Text size="sm">
        {Math.ceil(size / 1_024).toLocaleString('en')} KiB, until <DateTime at={expires_at} />
      </Text>
    </Group>
  );
}
