import { Box, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { SearchAnswer } from '../../src/answers.js';
import { addressOf, call } from '../api/client.js';
import { ErrorAlert } from '../components/error-alert.js';

/** Leads from any id, or the URL of a profile, to its page. */
export function SearchBox() {
  const router = useRouter();
  const [text, setText] = useState('');
  const search = useMutation({
    mutationFn: (id: string) => call<SearchAnswer>('/api/search', { query: { text: id } }),
    onSuccess: ({ path }) => {
      if (path === null) return;
      setText('');
      const [page = '', query] = path.split('?');
      router.history.push(addressOf(page, Object.fromEntries(new URLSearchParams(query))));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') search.mutate(text);
  };
  return (
    <search aria-label="Search for an id" style={{ flex: '0 1 12rem', minWidth: '3rem' }}>
      <form onSubmit={submit}>
        <TextInput
          size="xs"
          aria-label="Search"
          placeholder="Any id"
          value={text}
          error={search.data?.path === null && 'Nothing has this id'}
          onChange={(event) => {
            setText(event.currentTarget.value);
            search.reset();
          }}
        />
      </form>
      <Box pos="absolute" top="100%" right={0} maw="24rem">
        <ErrorAlert error={search.error} title="The search did not work" />
      </Box>
    </search>
  );
}
