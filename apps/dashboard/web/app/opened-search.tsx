import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ListOf, SearchResult } from '../../answers/parts.js';
import { addressOf } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import { ErrorAlert } from '../components/error-alert.js';

const PAUSE_MS = 150;
const GROUPS = { id: 'Id', creator: 'Creators', key: 'API keys', endpoint: 'Endpoints', case: 'Cases' } as const;

interface OpenedSearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly entered: string | undefined;
  readonly onEntered: (text: string | undefined) => void;
}

export function OpenedSearch({ text, onText, entered, onEntered }: OpenedSearchProps) {
  const router = useRouter();
  const combobox = useCombobox();
  const input = useRef<HTMLInputElement>(null);
  const wanted = text.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const { data, error, isPlaceholderData } = useQuery({
    ...serverQuery<ListOf<SearchResult>>('search', '/api/search', { text: asked }),
    enabled: asked !== '',
  });
  const results = asked === '' || error !== null ? [] : (data?.data ?? []);
  const isAnswered = wanted === asked && data !== undefined && !isPlaceholderData;

  const open = (result: string) => {
    const [page = '', query] = result.split('?');
    onText('');
    onEntered(undefined);
    combobox.closeDropdown();
    document.getElementById('content')?.focus({ preventScroll: true });
    router.history.push(addressOf(page, Object.fromEntries(new URLSearchParams(query))));
  };

  // It takes over from an input that had the focus.
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    input.current?.focus();
    input.current?.setSelectionRange(-1, -1);
  }, []);
  const first = results[0]?.path;
  const isToOpen = first !== undefined && isAnswered && entered === asked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once, when the answer to what was entered is here
  useEffect(() => {
    if (isToOpen) open(first);
  }, [isToOpen]);

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={open}
      position="bottom-end"
      width="min(28rem, 90vw)"
      withinPortal={false}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          ref={input}
          size="xs"
          aria-label="Search"
          placeholder="Name, URL or id"
          value={text}
          onChange={(event) => {
            onText(event.currentTarget.value);
            onEntered(undefined);
            combobox.resetSelectedOption();
            combobox.openDropdown();
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && combobox.getSelectedOptionIndex() === -1) onEntered(wanted);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={asked === ''}>
        <ErrorAlert error={error} title="The search did not work" />
        <Combobox.Options aria-label="Found">
          <Options results={results} />
        </Combobox.Options>
        {isAnswered && results.length === 0 && error === null && <Combobox.Empty>Nothing found</Combobox.Empty>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Options({ results }: { readonly results: readonly SearchResult[] }) {
  return Object.entries(GROUPS).map(([group, label]) => {
    const own = results.filter(({ kind }) => kind === group);
    if (own.length === 0) return null;
    return (
      <Combobox.Group key={group} label={label}>
        {own.map(({ name, detail, path }) => (
          <Combobox.Option key={path} value={path}>
            <Text size="sm" truncate>
              <bdi>{name}</bdi>
            </Text>
            <Text size="xs" c="dimmed" truncate>
              <bdi>{detail}</bdi>
            </Text>
          </Combobox.Option>
        ))}
      </Combobox.Group>
    );
  });
}
