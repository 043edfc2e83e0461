import { TextInput } from '@mantine/core';
import { inUtc, localInput, timeOfInput } from './local-input.js';

export interface FilterTimeProps {
  readonly label: string;
  /** Epoch milliseconds. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A time in the reader's zone; the address has it in milliseconds, so that a link means the same everywhere. */
export function FilterTime({ label, value, onChange }: FilterTimeProps) {
  return (
    <TextInput
      size="sm"
      type="datetime-local"
      label={label}
      description={inUtc(value)}
      inputWrapperOrder={['label', 'input', 'description']}
      value={localInput(value)}
      onChange={(event) => onChange(timeOfInput(event.currentTarget.value))}
    />
  );
}
