import { Button, NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import classes from './filters.module.css';
import { inUtc, localInput, timeOfInput } from './formats.js';

interface FilterProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A filter of a list. Its value is in the page's address. */
export type Filter = (props: FilterProps) => ReactNode;

/** A time in the reader's zone; the address has it in milliseconds, so that a link means the same everywhere. */
export const timeFilter =
  (label: string): Filter =>
  ({ value, onChange }) => (
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

interface TextOptions extends Pick<TextInputProps, 'placeholder'> {
  /** The filter takes whole ids that begin so. */
  readonly prefix?: string;
}

const PAUSE_MS = 400;

/** A typed filter, which takes effect after a pause or with Enter. */
export const textFilter =
  (label: string, options?: TextOptions): Filter =>
  (props) => <FilterText label={label} {...options} {...props} />;

type TextFilterProps = TextOptions & FilterProps & { readonly label: string };

function FilterText({ value = '', onChange, prefix, ...input }: TextFilterProps) {
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

interface FilterChoiceProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'>, FilterProps {
  /** The label of no filter. */
  readonly none?: string;
  readonly choices: readonly string[];
  readonly nameOf?: (choice: string) => string | undefined;
}

export const choiceFilter =
  (label: string, choices: readonly string[], nameOf?: FilterChoiceProps['nameOf']): Filter =>
  (props) => <FilterChoice label={label} choices={choices} {...(nameOf && { nameOf })} {...props} />;

/** A filter with a list of values. One that is in the address and not in the list stays visible. */
export function FilterChoice({ value = '', onChange, choices, nameOf, none = 'All', ...select }: FilterChoiceProps) {
  const listed = value === '' || choices.includes(value) ? choices : [...choices, value];
  return (
    <NativeSelect
      size="xs"
      {...select}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[{ value: '', label: none }, ...listed.map((each) => ({ value: each, label: nameOf?.(each) ?? each }))]}
    />
  );
}

/** The values that filters have in a page's address. */
export type Filters<Name extends string> = { readonly [Key in Name]?: string | undefined };

interface FilterGridProps {
  /** By the names that they have in the address. */
  readonly filters: Readonly<Record<string, Filter>>;
  readonly values: Filters<string>;
  readonly onChange: (changed: Filters<string>) => void;
}

/** The filters of a list, with a button that takes all of them away. */
export function FilterGrid({ filters, values, onChange }: FilterGridProps) {
  const names = Object.keys(filters);
  return (
    <search className={classes.filters} aria-label="Filters">
      {Object.entries(filters).map(([name, filter]) => (
        <Fragment key={name}>
          {filter({ value: values[name], onChange: (value) => onChange({ [name]: value }) })}
        </Fragment>
      ))}
      {names.some((name) => values[name] !== undefined) && (
        <Button variant="default" onClick={() => onChange(Object.fromEntries(names.map((name) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
