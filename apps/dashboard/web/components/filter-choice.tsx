import { NativeSelect, type NativeSelectProps } from '@mantine/core';

export interface FilterChoiceProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** What is shown without the filter. */
  readonly none?: string;
  /** A value alone is its label too. */
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
}

/** A filter with a list of values. One that is in the address and not in the list stays visible. */
export function FilterChoice({ value = '', onChange, choices, none = 'All', ...select }: FilterChoiceProps) {
  const isListed =
    value === '' || choices.some((choice) => (typeof choice === 'string' ? choice : choice.value) === value);
  return (
    <NativeSelect
      size="sm"
      {...select}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[{ value: '', label: none }, ...choices, ...(isListed ? [] : [value])]}
    />
  );
}
