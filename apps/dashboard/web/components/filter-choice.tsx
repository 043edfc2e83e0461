import { NativeSelect, type NativeSelectProps } from '@mantine/core';

export interface FilterChoiceProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** What is shown without the filter. */
  readonly none?: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** A filter with a list of values. One that is in the address and not in the list stays visible. */
export function FilterChoice({ value = '', onChange, choices, none = 'All', ...select }: FilterChoiceProps) {
  const isListed = value === '' || choices.some((choice) => choice.value === value);
  return (
    <NativeSelect
      size="sm"
      {...select}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[{ value: '', label: none }, ...choices, ...(isListed ? [] : [{ value, label: value }])]}
    />
  );
}
