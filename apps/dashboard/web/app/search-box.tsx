import { Box, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import type { SearchAnswer } from '../api/types.gen.js';
import { ErrorAlert } from '../components/error-alert.js';

/** Leads from any id, or the URL of a profile, to its page. */
export function SearchBox() {
  const router = useRouter();
  const [text, setText] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [isUnknown, setUnknown] = useState(false);
  const search = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    try {
      const { path } = await call<SearchAnswer>('/api/search', { query: { text } });
      if (path === null) return setUnknown(true);
      setText('');
      router.history.push(withAgency(path));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  };
  return (
    <search aria-label="Search for an id" style={{ flex: '0 1 12rem', minWidth: '3rem' }}>
      <form onSubmit={(event) => void search(event)}>
        <TextInput
          size="xs"
          aria-label="Search"
          placeholder="Any id"
          value={text}
          error={isUnknown && 'Nothing has this id'}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(null);
            setUnknown(false);
          }}
        />
      </form>
      <Box pos="absolute" top="100%" right={0} maw="24rem">
        <ErrorAlert error={error} title="The search did not work" />
      </Box>
    </search>
  );
}

/** The chosen agency stays in the address. */
const withAgency = (path: string): string => {
  const address = new URL(`/dashboard${path}`, window.location.origin);
  const agency = new URLSearchParams(window.location.search).get('agency');
  if (agency !== null) address.searchParams.set('agency', agency);
  return address.pathname + address.search;
};
