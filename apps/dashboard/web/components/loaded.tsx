import { Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert.js';

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query answered. Once there is an answer, it stays while a later one fails. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, isPending } = query;
  return (
    <>
      <ErrorAlert error={error} title="This could not be loaded" />
      {isPending && <Loader role="status" aria-label="Loading" />}
      {data !== undefined && children(data)}
    </>
  );
}
