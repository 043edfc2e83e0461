import { Button, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { OverviewAnswer } from '../../src/overview/answers.js';
import { useMay } from '../api/session.js';
import { Notice } from '../components/notice.js';

const REASONS = {
  unbound: 'Nobody has bound this agency to the API yet. Until its owner does, it has no keys and no webhooks.',
  owner_changed: 'This agency has a new owner. Its keys and webhooks do not work until the new owner binds it again.',
} as const;

const BindDialog = lazy(async () => ({ default: (await import('./bind-dialog.js')).BindDialog }));

type BindingProps = Pick<OverviewAnswer, 'agency' | 'binding'>;

/** An agency that no owner, or an earlier one, has bound to the API. */
export function Binding({ agency, binding }: BindingProps) {
  const mayBind = useMay('bind');
  const [isOpen, setIsOpen] = useState(false);
  if (binding.state === 'bound') return null;
  return (
    <Notice color="orange" mb={0} title="This agency is not bound">
      <Text size="sm" mb="sm">
        {REASONS[binding.state]}
      </Text>
      {mayBind && agency !== null && (
        <>
          <Button onClick={() => setIsOpen(true)}>Bind this agency</Button>
          <Suspense>
            {isOpen && <BindDialog agency={agency} revokes={binding.revokes} onClose={() => setIsOpen(false)} />}
          </Suspense>
        </>
      )}
    </Notice>
  );
}
