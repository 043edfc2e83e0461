import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedKeyAnswer, KeySettings, ListedKeyAnswer, RouteCallsAnswer } from '../../answers/keys.js';
import { useChange } from '../api/server-query.js';
import { Choice } from '../components/choice.js';
import { CodeSamples } from '../components/code-samples.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { fieldError, Loaded } from '../components/error-alert.js';
import { FormDialog } from '../components/form-dialog.js';
import { number } from '../components/formats.js';
import { OperatorsLine } from '../components/operators-line.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { say } from '../components/toast.js';
import { createKey, keyCallsQuery, keyName, LIFETIME_NAMES, PRESET_NAMES, revokeKey, settingsOf } from './queries.js';

const COLUMNS = columnsOf<RouteCallsAnswer>({
  Route: (row) => row.route,
  Calls: { width: 6, isFigure: true, show: (row) => number(row.calls) },
});

function RevokeKeyDialog({ apiKey, onClose }: { readonly apiKey: ListedKeyAnswer; readonly onClose: () => void }) {
  const calls = useQuery(keyCallsQuery(apiKey.id));
  const revocation = useChange(revokeKey);
  const revoke = () =>
    revocation.mutate(apiKey.id, {
      onSuccess: () => {
        say(`${keyName(apiKey)} is revoked`);
        onClose();
      },
    });
  return (
    <FormDialog title="Revoke key" action="Revoke" onClose={onClose} onSubmit={revoke} change={revocation} isFinal>
      <Text>
        Requests with <bdi>{keyName(apiKey)}</bdi> are refused from now on. This cannot be undone.
      </Text>
      <Loaded query={calls}>
        {({ data }) => (
          <>
            <Text>
              {data.length === 0 ? 'The key made no calls in the last 7 days.' : 'Its calls of the last 7 days:'}
            </Text>
            <DataTable label="Calls of 7 days" columns={COLUMNS} rows={data} empty={null} />
          </>
        )}
      </Loaded>
      <OperatorsLine words={`keys revoke ${apiKey.id}`} />
    </FormDialog>
  );
}

interface ReplaceKeyDialogProps {
  readonly apiKey: ListedKeyAnswer;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKeyAnswer) => void;
}

function ReplaceKeyDialog({ apiKey, onClose, onCreated }: ReplaceKeyDialogProps) {
  const creation = useChange(createKey);
  const settings = settingsOf(apiKey);
  return (
    <FormDialog
      title="Replace key"
      action="Create new key"
      onClose={onClose}
      onSubmit={() => creation.mutate(settings, { onSuccess: onCreated })}
      change={creation}
      isFinal
    >
      <Text>
        A new key with the settings of <bdi>{keyName(apiKey)}</bdi> ({PRESET_NAMES[settings.preset]},{' '}
        {LIFETIME_NAMES[settings.lifetime]}) is made. The old one keeps working, and you can revoke it when the new one
        is in use.
      </Text>
    </FormDialog>
  );
}

const DEFAULTS: KeySettings = { name: '', preset: 'read_only', lifetime: '90d' };

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKeyAnswer) => void;
}

function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [settings, setSettings] = useState(DEFAULTS);
  const creation = useChange(createKey);
  const [isMissing, setIsMissing] = useState(false);
  const set = (change: Partial<KeySettings>) => setSettings({ ...settings, ...change });
  const create = () => {
    setIsMissing(settings.name.trim() === '');
    if (settings.name.trim() !== '') creation.mutate(settings, { onSuccess: onCreated });
  };
  return (
    <FormDialog
      title="Create key"
      action="Create key"
      onClose={onClose}
      onSubmit={create}
      change={creation}
      fields={['name']}
    >
      <TextInput
        label="Name"
        required
        error={isMissing ? 'Enter a name' : fieldError(creation.error, 'name')}
        description="Where the key is used, such as “Roster import”. At most 80 characters."
        value={settings.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        dir="auto"
        data-autofocus
      />
      <Choice
        label="Permissions"
        description="What the key may do. One that only reads cannot change protection or start scans."
        names={PRESET_NAMES}
        value={settings.preset}
        onChange={(preset) => set({ preset })}
      />
      <Choice
        label="Lifetime"
        description="After this time the key stops working. Replace it before then."
        names={LIFETIME_NAMES}
        value={settings.lifetime}
        onChange={(lifetime) => set({ lifetime })}
      />
    </FormDialog>
  );
}

export type OpenedKeyDialog =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'revoke' | 'replace'; readonly key: ListedKeyAnswer }
  | { readonly dialog: 'secret'; readonly key: CreatedKeyAnswer };

export interface KeyDialogProps {
  readonly opened: OpenedKeyDialog;
  readonly onChange: (opened: OpenedKeyDialog | undefined) => void;
}

/** All dialogs of the page, loaded when the first one opens. */
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
