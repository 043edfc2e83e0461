import { NativeSelect, Text } from '@mantine/core';
import { useSession } from '../api/session.js';
import { openAgency, openLinkFor } from './open-agency.js';

/** The agency, or the choice between those of this person. */
export function AgencyChoice() {
  const { agency, agencies } = useSession();
  if (agency === null && agencies.length === 0) return null;
  if (agency !== null && agencies.length < 2) {
    return (
      <Text truncate dir="auto" title={agency.name}>
        {agency.name}
      </Text>
    );
  }
  const open = agency === null ? openLinkFor : openAgency;
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
