import { NativeSelect, Text } from '@mantine/core';
import { useSession } from '../api/session.js';

const open = (id: string): void => {
  // A new page: nothing that the one agency's pages have loaded is left for the other's.
  const parameters = id === '' ? '' : `?${new URLSearchParams({ agency: id })}`;
  window.location.assign(`/dashboard/${parameters}`);
};

/** The agency, or the choice between those of this person. */
export function AgencyChoice() {
  const { agency, agencies } = useSession();
  if (agencies.length < 2 && agency !== null) {
    return (
      <Text truncate dir="auto" title={agency.name}>
        {agency.name}
      </Text>
    );
  }
  return (
    <NativeSelect
      aria-label="Agency"
      value={agency?.id ?? ''}
      onChange={(event) => open(event.currentTarget.value)}
      data={[
        ...(agency === null ? [{ value: '', label: 'Choose an agency' }] : []),
        ...agencies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
