import { Card, Group, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useId } from 'react';
import classes from './facts.module.css';
import { Id } from './id.js';

export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={classes.facts}>
      {Object.entries(facts).map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <Card component="section" withBorder aria-labelledby={id} style={{ overflow: 'clip' }}>
      <Title order={2} size="h4" id={id} mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}

export interface PageTitleProps {
  readonly name: string;
  /** The id of a page's subject. */
  readonly id?: string;
  /** One or two sentences for somebody who is here for the first time. */
  readonly help?: ReactNode;
  readonly children?: ReactNode;
}

export function PageTitle({ name, id, help, children }: PageTitleProps) {
  useEffect(() => {
    document.title = `${name} · Creator Protection`;
  }, [name]);
  return (
    <>
      <Group justify="space-between" mb={help === undefined || id !== undefined ? 'xs' : 0}>
        <div>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Title>
          {id !== undefined && <Id value={id} isPlain />}
        </div>
        <Group gap="xs">{children}</Group>
      </Group>
      {help !== undefined && (
        <Text c="dimmed" size="xs" mb="xs">
          {help}
        </Text>
      )}
    </>
  );
}
