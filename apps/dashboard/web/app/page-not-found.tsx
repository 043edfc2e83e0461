import { Text, Title } from '@mantine/core';
import { LinkTo } from '../components/link-to.js';

export function PageNotFound() {
  return (
    <>
      <Title order={1}>Page not found</Title>
      <Text>
        There is no page at this address. <LinkTo to="/">Go to the overview.</LinkTo>
      </Text>
    </>
  );
}
