import { Group, Radio } from '@mantine/core';

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly description?: string;
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of two or three, all of which are visible. */
export function Choice<Value extends string>({ names, value, onChange, ...group }: ChoiceProps<Value>) {
  const values = Object.keys(names) as Value[];
  return (
    <Radio.Group {...group} value={value} onChange={(chosen) => onChange(chosen as Value)}>
      <Group mt={4}>
        {values.map((each) => (
          <Radio key={each} value={each} label={names[each]} />
        ))}
      </Group>
    </Radio.Group>
  );
}
