import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CreatedKeyAnswer, KeySettings } from '../../src/keys/answers.js';
import { Choice } from '../components/choice.js';
import { FormDialog } from '../components/form-dialog.js';
import { useChange } from '../components/use-change.js';
import { createKey, LIFETIME_NAMES, PRESET_NAMES } from './queries.js';

const DEFAULTS: Required<KeySettings> = { name: '', preset: 'read_only', lifetime: '90d' };

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKeyAnswer) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [settings, setSettings] = useState(DEFAULTS);
  const creation = useChange(createKey);
  const set = (change: Partial<KeySettings>) => setSettings({ ...settings, ...change });
  return (
    <FormDialog
      title="Create key"
      action="Create key"
      onClose={onClose}
      onSubmit={() => creation.mutate(settings, { onSuccess: onCreated })}
      change={creation}
    >
      <TextInput
        label="Name"
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
        description="After this time the key stops working. Replace it before."
        names={LIFETIME_NAMES}
        value={settings.lifetime}
        onChange={(lifetime) => set({ lifetime })}
      />
    </FormDialog>
  );
}
