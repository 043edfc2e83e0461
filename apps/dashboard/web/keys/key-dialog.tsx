import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedKeyAnswer, KeySettings, ListedKeyAnswer } from '../../answers/keys.js';
import { Choice } from '../components/choice.js';
import { CodeSamples } from '../components/code-samples.js';
import { DataTable } from '../components/data-table.js';
import { Loaded } from '../components/error-alert.js';
import { FormDialog } from '../components/form-dialog.js';
import { OperatorsLine } from '../components/operators-line.js';
import { SecretDialog } from '../components/secret-dialog.js';
import {
  createKey,
  keyName,
  keyQuery,
  LIFETIME_NAMES,
  PRESET_NAMES,
  ROUTE_COLUMNS,
  revokeKey,
  settingsOf,
} from './queries.js';

interface OneKeyProps {
  readonly apiKey: ListedKeyAnswer;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose }: OneKeyProps) {
  const key = useQuery(keyQuery(apiKey.id));
  return (
    <FormDialog
      title="Revoke key"
      action="Revoke"
      send={() => revokeKey(apiKey.id)}
      said={`${keyName(apiKey)} is revoked`}
      onClose={onClose}
      isFinal
    >
      <Text>
        Requests with <bdi>{keyName(apiKey)}</bdi> are refused from now on. This cannot be undone.
      </Text>
      <Loaded query={key}>
        {({ calls }) => (
          <>
            <Text>
              {calls.length === 0 ? 'The key made no calls in the last 7 days.' : 'Its calls of the last 7 days:'}
            </Text>
            <DataTable label="Calls of 7 days" columns={ROUTE_COLUMNS} rows={calls} empty={null} />
          </>
        )}
      </Loaded>
      <OperatorsLine words={`keys revoke ${apiKey.id}`} />
    </FormDialog>
  );
}

function KeyCreated({ secret, samples, onClose }: CreatedKeyAnswer & Pick<OneKeyProps, 'onClose'>) {
  return (
    <SecretDialog
      title="Key created"
      help="Send it in the header Authorization, after “Bearer ”."
      secret={secret}
      onStored={onClose}
    >
      <CodeSamples {...samples} />
    </SecretDialog>
  );
}

export function ReplaceKeyDialog({ apiKey, onClose }: OneKeyProps) {
  const navigate = useNavigate();
  const settings = settingsOf(apiKey);
  return (
    <FormDialog
      title="Replace key"
      action="Create new key"
      send={() => createKey(settings)}
      onSuccess={({ id }) => void navigate({ to: '/keys', search: { replaced: apiKey.id, replacement: id } })}
      next={(created) => <KeyCreated {...created} onClose={onClose} />}
      onClose={onClose}
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

export function CreateKeyDialog({ onClose }: Pick<OneKeyProps, 'onClose'>) {
  const [settings, setSettings] = useState(DEFAULTS);
  const set = (change: Partial<KeySettings>) => setSettings({ ...settings, ...change });
  return (
    <FormDialog
      title="Create key"
      action="Create key"
      send={() => createKey(settings)}
      next={(created) => <KeyCreated {...created} onClose={onClose} />}
      onClose={onClose}
      fields={['name']}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Name"
            required
            error={errorOf('name') && (settings.name.trim() === '' ? 'Enter a name' : errorOf('name'))}
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
        </>
      )}
    </FormDialog>
  );
}
