import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

export interface FilterTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const PAUSE_MS = 400;

/** A filter that is typed: it takes effect after a pause, or with Enter. */
export function FilterText({ value = '', onChange, ...input }: FilterTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = useDebouncedCallback((typed: string) => onChange(typed.trim() || undefined), {
    delay: PAUSE_MS,
    flushOnUnmount: false,
  });
  return (
    <TextInput
      size="sm"
      {...input}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
      onKeyDown={(event) => event.key === 'Enter' && apply.flush()}
    />
  );
}
