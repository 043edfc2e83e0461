import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { openLinkFor, useSession } from '../api/session.js';
import { PageTitle } from '../components/page-title.js';

/** Replaces every page until an agency is chosen. */
export function NoAgency() {
  const { role, agencies } = useSession();
  const isOperator = role === 'operator';
  if (!isOperator && agencies.length === 0) {
    return (
      <>
        <PageTitle name="No agency" />
        <Text>
          {role === null ? 'Your sign-in names no agency.' : `As ${role} you see no agency's dashboard.`} Sign out to go
          on as somebody else.
        </Text>
      </>
    );
  }
  return (
    <>
      <PageTitle name="Choose an agency" />
      {agencies.length > 0 && <Text mb="md">You find your agencies in the list at the top of the page.</Text>}
      {isOperator && <AnyAgency />}
    </>
  );
}

/** The platform has no list of its agencies, so operators name one. */
function AnyAgency() {
  const [id, setId] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== '') openLinkFor(id.trim());
      }}
    >
      <Group align="end">
        <TextInput label="Agency id" value={id} onChange={(event) => setId(event.currentTarget.value)} />
        <Button type="submit">Open</Button>
      </Group>
    </form>
  );
}
