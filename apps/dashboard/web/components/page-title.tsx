import { Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useId } from 'react';
import { useSession } from '../api/session.js';
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

interface FigureProps {
  readonly name: string;
  readonly note?: string | false;
  readonly children: ReactNode;
}

export function Figure({ name, note, children }: FigureProps) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fz="1.75rem" fw={600} lh={1.3}>
        {children}
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </Text>
    </div>
  );
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid component="dl" m={0} mb="sm" cols={{ base: 2, xs: 3 }}>
      {children}
    </SimpleGrid>
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
  readonly id?: string;
  readonly badges?: ReactNode;
  /** One or two sentences for somebody who is here for the first time. */
  readonly help?: ReactNode;
  readonly children?: ReactNode;
}

export function PageTitle({ name, id, badges, help, children }: PageTitleProps) {
  const { agency } = useSession();
  useEffect(() => {
    document.title = `${name} · Creator Protection`;
  }, [name]);
  return (
    <>
      <Group justify="space-between" mb={help === undefined || id !== undefined ? 'xs' : 0}>
        <div>
          <Title order={1} size="h2" data-agency={agency?.name} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Title>
          <Group gap="md" fz="sm">
            {badges}
            {id !== undefined && <Id value={id} isPlain />}
          </Group>
        </div>
        <Group gap="xs" data-no-print>
          {children}
        </Group>
      </Group>
      {help !== undefined && (
        <Text c="dimmed" size="xs" mb="xs">
          {help}
        </Text>
      )}
    </>
  );
}
