import {
  Button,
  Group,
  NativeSelect,
  type NativeSelectProps,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './filters.module.css';
import { inUtc, localInput, timeOfInput } from './formats.js';

interface OneOnlyProps {
  /** The id in the page's address. */
  readonly id: string | undefined;
  readonly onClear: () => void;
}

/** Shown above a list that a link reduced to one item. */
export function OneOnly({ id, onClear }: OneOnlyProps) {
  if (id === undefined) return null;
  return (
    <Group mb="sm" gap="xs">
      <Text size="sm" className={classes.only}>
        Only {id}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </Group>
  );
}

interface FilterTimeProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A time in the reader's zone; the address has it in milliseconds, so that a link means the same everywhere. */
export function FilterTime({ label, value, onChange }: FilterTimeProps) {
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      label={label}
      description={inUtc(value)}
      inputWrapperOrder={['label', 'input', 'description']}
      value={localInput(value)}
      onChange={(event) => onChange(timeOfInput(event.currentTarget.value))}
    />
  );
}

interface FilterTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string | undefined;
  /** The filter takes whole ids that begin so. */
  readonly prefix?: string;
  readonly onChange: (value: string | undefined) => void;
}

const PAUSE_MS = 400;

/** A typed filter, which takes effect after a pause or with Enter. */
export function FilterText({ value = '', onChange, prefix, ...input }: FilterTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const isPart = (typed: string) => prefix !== undefined && typed !== '' && !isWholeId(prefix, typed);
  const take = (typed: string) => {
    if (!isPart(typed.trim())) onChange(typed.trim() || undefined);
  };
  const apply = useDebouncedCallback(take, { delay: PAUSE_MS, flushOnUnmount: false });
  return (
    <TextInput
      size="xs"
      {...(prefix !== undefined && { placeholder: `${prefix}…` })}
      {...input}
      description={isPart(text.trim()) && 'Enter the whole id'}
      inputWrapperOrder={['label', 'input', 'description']}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
      onKeyDown={(event) => event.key === 'Enter' && apply.flush()}
    />
  );
}

const ID_LENGTH = 26;

const isWholeId = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && text.length === prefix.length + ID_LENGTH;

interface FilterChoiceProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** The label of no filter. */
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
      size="xs"
      {...select}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[{ value: '', label: none }, ...choices, ...(isListed ? [] : [value])]}
    />
  );
}

export type Filters<Name extends string> = { readonly [Key in Name]?: string | undefined };

/** The filters in the address of a page, without what else it holds. */
export const filtersIn = <Search extends Filters<'agency' | 'after' | 'by' | 'tab'>>(search: Search) => {
  const { agency, after, by, tab, ...filters } = search;
  return filters;
};

export const hasFilters = (filters: object): boolean => Object.values(filters).some((value) => value !== undefined);

export const filterOf =
  <Name extends string>(filters: Filters<Name>, onChange: (filters: Filters<Name>) => void) =>
  (name: Name) => ({
    value: filters[name],
    onChange: (value: string | undefined) => onChange({ ...filters, [name]: value }),
  });

export interface FilterGridProps {
  readonly filters: object;
  readonly onChange: (none: Record<string, never>) => void;
  readonly children: ReactNode;
}

/** The filters of a list, with a button that takes all of them away. */
export function FilterGrid({ filters, onChange, children }: FilterGridProps) {
  return (
    <search className={classes.filters} aria-label="Filters">
      {children}
      {hasFilters(filters) && (
        <Button variant="default" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
