import { Card, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

export interface PanelProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page with a heading. */
export function Panel({ title, children }: PanelProps) {
  const id = useId();
  return (
    <Card component="section" withBorder aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}
