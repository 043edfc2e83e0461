import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

export interface PageTitleProps {
  readonly name: string;
  /** One or two sentences for somebody who is here for the first time. */
  readonly help?: ReactNode;
  /** What can be done on the page. */
  readonly children?: ReactNode;
}

export function PageTitle({ name, help, children }: PageTitleProps) {
  useEffect(() => {
    document.title = `${name} · Creator Protection`;
  }, [name]);
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <Group gap="xs">{children}</Group>
      </Group>
      {help !== undefined && (
        <Text c="dimmed" size="sm" mb="md" maw="48rem">
          {help}
        </Text>
      )}
    </>
  );
}
