import { useNavigate } from '@tanstack/react-router';
import type { CreatedKeyAnswer, ListedKeyAnswer } from '../../src/keys/answers.js';
import { CodeSamples } from '../components/code-samples.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { ReplaceKeyDialog } from './replace-key-dialog.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';

export type OpenedKeyDialog =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'revoke' | 'replace'; readonly key: ListedKeyAnswer }
  | { readonly dialog: 'secret'; readonly key: CreatedKeyAnswer };

export interface KeyDialogProps {
  readonly opened: OpenedKeyDialog;
  readonly onChange: (opened: OpenedKeyDialog | undefined) => void;
}

/** All dialogs of the page: loaded when the first of them opens. */
export function KeyDialog({ opened, onChange }: KeyDialogProps) {
  const navigate = useNavigate();
  const close = () => onChange(undefined);
  const showSecret = (key: CreatedKeyAnswer) => onChange({ dialog: 'secret', key });
  switch (opened.dialog) {
    case 'create':
      return <CreateKeyDialog onClose={close} onCreated={showSecret} />;
    case 'revoke':
      return <RevokeKeyDialog apiKey={opened.key} onClose={close} />;
    case 'replace':
      return (
        <ReplaceKeyDialog
          apiKey={opened.key}
          onClose={close}
          onCreated={(key) => {
            showSecret(key);
            void navigate({ to: '/keys', search: { replaced: opened.key.id, replacement: key.id } });
          }}
        />
      );
    case 'secret':
      return (
        <SecretDialog
          title="Key created"
          help="Send it in the header Authorization, after “Bearer ”."
          secret={opened.key.secret}
          onStored={close}
        >
          <CodeSamples {...opened.key.samples} />
        </SecretDialog>
      );
  }
}
