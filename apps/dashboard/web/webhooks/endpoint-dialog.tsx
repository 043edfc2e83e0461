import type { ListedEndpointAnswer } from '../api/types.gen.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { AddEndpointDialog } from './add-endpoint-dialog.js';
import { DisableDialog } from './disable-dialog.js';
import { RotateDialog } from './rotate-dialog.js';
import { TestDialog } from './test-dialog.js';
import { TypesDialog } from './types-dialog.js';

export type OpenedEndpointDialog =
  | { readonly dialog: 'add' }
  | { readonly dialog: 'test' | 'rotate' | 'types' | 'disable'; readonly endpoint: ListedEndpointAnswer }
  | { readonly dialog: 'secret'; readonly secret: string };

export interface EndpointDialogProps {
  readonly opened: OpenedEndpointDialog;
  readonly onChange: (opened: OpenedEndpointDialog | undefined) => void;
}

/** All dialogs of the page: loaded when the first of them opens. */
export function EndpointDialog({ opened, onChange }: EndpointDialogProps) {
  const onClose = () => onChange(undefined);
  const onSecret = (secret: string) => onChange({ dialog: 'secret', secret });
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
        />
      );
  }
}
