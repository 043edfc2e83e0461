import { Group, List, Text, ThemeIcon } from '@mantine/core';
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
  first_delivery: 'The first event was delivered',
};

function NextStep({ step }: { readonly step: StepAnswer['step'] }) {
  const [mayManageKeys, mayManageEndpoints] = [useMay('manage_keys'), useMay('manage_endpoints')];
  if (step === 'key_issued' && mayManageKeys) return <LinkTo to="/keys">Create a key</LinkTo>;
  if (step === 'endpoint_registered' && mayManageEndpoints) return <LinkTo to="/webhooks">Add an endpoint</LinkTo>;
  return null;
}

export interface ChecklistProps {
  readonly steps: OverviewAnswer['checklist'];
  readonly samples: CodeSamplesAnswer;
  readonly apiUrl: string;
}

/** The steps to the first delivery. A step that is undone shows as open again. */
export function Checklist({ steps, samples, apiUrl }: ChecklistProps) {
  return (
    <Panel title="Getting started">
      <List listStyleType="none" spacing="xs" aria-label="Checklist" mb="md">
        {steps.map(({ step, done, at }) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon size="sm" radius="xl" variant={done ? 'filled' : 'default'} aria-hidden>
                {done ? '✓' : ' '}
              </ThemeIcon>
            }
          >
            <Group gap="xs" align="baseline">
              <Text fw={500}>{NAMES[step]}</Text>
              <Text size="sm" c="dimmed">
                {done ? 'Done' : 'Open'}
              </Text>
              <Text size="sm" component="span">
                <DateTime at={at} />
              </Text>
              {!done && <NextStep step={step} />}
            </Group>
          </List.Item>
        ))}
      </List>
      <Text size="sm" mb={4}>
        The API is at {apiUrl}. Try it with one of your keys:
      </Text>
      <CodeSamples {...samples} />
    </Panel>
  );
}
