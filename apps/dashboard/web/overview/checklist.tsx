import { List, Text } from '@mantine/core';
import type { OverviewAnswer, StepAnswer } from '../../answers/overview.js';
import type { CodeSamplesAnswer } from '../../answers/parts.js';
import { useMay } from '../api/session.js';
import { CodeSamples } from '../components/code-samples.js';
import { DateTime } from '../components/date-time.js';
import { LinkTo } from '../components/id.js';
import { Panel } from '../components/page-title.js';

const NAMES: Readonly<Record<StepAnswer['step'], string>> = {
  verified: 'The agency is verified',
  bound: 'The agency is bound to the API',
  key_issued: 'A key is issued',
  first_call: 'The first call was seen',
  endpoint_registered: 'A webhook endpoint is registered',
  first_delivery: 'The first event, or a test, was delivered',
};

const NEXT: Readonly<Record<StepAnswer['step'], string>> = {
  verified: 'The platform verifies the agency',
  bound: 'Bind this agency',
  key_issued: 'Create a key',
  first_call: 'Make your first call',
  endpoint_registered: 'Add an endpoint',
  first_delivery: 'Send a test event',
};

function NextStep({ step }: { readonly step: StepAnswer['step'] }) {
  const [mayManageKeys, mayManageEndpoints] = [useMay('manage_keys'), useMay('manage_endpoints')];
  const isOfEndpoints = step === 'endpoint_registered' || step === 'first_delivery';
  if (step === 'key_issued' && mayManageKeys) return <LinkTo to="/keys">{NEXT[step]}</LinkTo>;
  if (isOfEndpoints && mayManageEndpoints) return <LinkTo to="/webhooks">{NEXT[step]}</LinkTo>;
  return NEXT[step];
}

export interface ChecklistProps {
  readonly steps: OverviewAnswer['checklist'];
  readonly samples: CodeSamplesAnswer;
  readonly apiUrl: string;
}

/** The steps that are done, and the one to take next. A step that is undone is next again. */
export function Checklist({ steps, samples, apiUrl }: ChecklistProps) {
  const next = steps.find(({ done }) => !done);
  return (
    <Panel title="Getting started">
      <List size="sm" icon="✓" aria-label="Checklist" mb="sm">
        {steps.map(
          ({ step, done, at }) =>
            done && (
              <List.Item key={step}>
                {NAMES[step]} {at !== null && <DateTime at={at} />}
              </List.Item>
            ),
        )}
      </List>
      {next !== undefined && (
        <Text fw={600} mb="sm">
          Next: <NextStep step={next.step} />
        </Text>
      )}
      <Text size="sm" mb={4}>
        The API is at {apiUrl}. Try it with one of your keys:
      </Text>
      <CodeSamples {...samples} />
    </Panel>
  );
}
