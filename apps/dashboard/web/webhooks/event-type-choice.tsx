import { Checkbox, SimpleGrid } from '@mantine/core';
import { EVENT_TYPES } from '../components/event-types.js';

export interface EventTypeChoiceProps {
  readonly value: readonly string[];
  readonly onChange: (types: string[]) => void;
}

/** Everything chosen means all types, those that are added later included. */
export const chosenTypes = (chosen: readonly string[]): readonly string[] | null =>
  chosen.length === EVENT_TYPES.length ? null : chosen;

export function EventTypeChoice({ value, onChange }: EventTypeChoiceProps) {
  return (
    <Checkbox.Group
      label="Event types"
      description="With all of them, the endpoint also gets types that are added later."
      value={[...value]}
      onChange={onChange}
      error={value.length === 0 && 'Choose at least one.'}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt="xs">
        {EVENT_TYPES.map((type) => (
          <Checkbox key={type} value={type} label={type} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
