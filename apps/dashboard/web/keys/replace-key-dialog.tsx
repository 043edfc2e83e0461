import { Text } from '@mantine/core';
import type { CreatedKeyAnswer, ListedKeyAnswer } from '../../src/keys/answers.js';
import { FormDialog } from '../components/form-dialog.js';
import { useChange } from '../components/use-change.js';
import { createKey, LIFETIME_NAMES, PRESET_NAMES, settingsOf } from './queries.js';

export interface ReplaceKeyDialogProps {
  readonly apiKey: ListedKeyAnswer;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKeyAnswer) => void;
}

export function ReplaceKeyDialog({ apiKey, onClose, onCreated }: ReplaceKeyDialogProps) {
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
        A new key with the settings of <bdi>{apiKey.name ?? apiKey.id}</bdi> ({PRESET_NAMES[settings.preset]},{' '}
        {LIFETIME_NAMES[settings.lifetime]}) is made. The old one keeps working, and you can revoke it when the new one
        is in use.
      </Text>
    </FormDialog>
  );
}
