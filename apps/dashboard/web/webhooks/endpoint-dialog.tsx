import { Text } from '@mantine/core';
import type { CodeSamplesAnswer } from '../../src/answers.js';
import type { ListedEndpointAnswer } from '../../src/webhooks/answers.js';
import { CodeSamples } from '../components/code-samples.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { AddEndpointDialog } from './add-endpoint-dialog.js';
import { DisableDialog } from './disable-dialog.js';
import { RotateDialog } from './rotate-dialog.js';
import { TestDialog } from './test-dialog.js';
import { TypesDialog } from './types-dialog.js';

export type OpenedEndpointDialog =
  | { readonly dialog: 'add' }
  | { readonly dialog: 'test' | 'rotate' | 'types' | 'disable'; readonly endpoint: ListedEndpointAnswer }
  | { readonly dialog: 'secret'; readonly secret: string; readonly samples?: CodeSamplesAnswer };

export interface EndpointDialogProps {
  readonly opened: OpenedEndpointDialog;
  readonly onChange: (opened: OpenedEndpointDialog | undefined) => void;
}

/** All dialogs of the page: loaded when the first of them opens. */
export function EndpointDialog({ opened, onChange }: EndpointDialogProps) {
  const onClose = () => onChange(undefined);
  const onSecret = (secret: string, samples?: CodeSamplesAnswer) =>
    onChange({ dialog: 'secret', secret, ...(samples && { samples }) });
  switch (opened.dialog) {
    case 'add':
      return <AddEndpointDialog onClose={onClose} onSecret={onSecret} />;
    case 'test':
      return <TestDialog endpoint={opened.endpoint} onClose={onClose} />;
    case 'rotate':
      return <RotateDialog endpoint={opened.endpoint} onClose={onClose} onSecret={onSecret} />;
    case 'types':
      return <TypesDialog endpoint={opened.endpoint} onClose={onClose} />;
    case 'disable':
      return <DisableDialog endpoint={opened.endpoint} onClose={onClose} />;
    case 'secret':
      return (
        <SecretDialog
          title="Secret created"
          help="Your receiver checks signatures with it."
          secret={opened.secret}
          onStored={onClose}
        >
          {opened.samples && (
            <>
              <Text size="sm" mb="xs">
                To try it on your machine, set WEBHOOK_SECRET, start the receiver, and send it a signed event.
              </Text>
              <CodeSamples {...opened.samples} />
            </>
          )}
        </SecretDialog>
      );
  }
}
