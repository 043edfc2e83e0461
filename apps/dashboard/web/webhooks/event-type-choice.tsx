import { Checkbox, SimpleGrid } from '@mantine/core';
import { EVENT_TYPES, type EventType } from '../components/event-types.js';

export interface EventTypeChoiceProps {
  readonly value: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
}

/** Everything chosen means all types, those that are added later included. */
export const chosenTypes = (chosen: readonly EventType[]): EventType[] | null =>
  chosen.length === EVENT_TYPES.length ? null : [...chosen];

export function EventTypeChoice({ value, onChange }: EventTypeChoiceProps) {
  return (
    <Checkbox.Group
      label="Event types"
      description="With all of them, the endpoint also gets types that are added later."
      value={[...value]}
      onChange={(chosen) => onChange(EVENT_TYPES.filter((type) => chosen.includes(type)))}
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
