import { Code, Group } from '@mantine/core';
import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './breakable.module.css';
import { Copy } from './copy.js';
import { LinkTo } from './link-to.js';

export interface IdProps {
  readonly value: string;
  /** Of a request with a key: what processes and people do has such an id too, and is on no page. */
  readonly isRequest?: boolean | undefined;
  /** On whose page a scan, case, deindex request or impersonation is. */
  readonly creator?: string | undefined;
  /** The link to what it names, where it is not the id. */
  readonly children?: ReactNode;
}

/** An id that can be copied, and leads to what it names if that has a page. */
export function Id({ value, isRequest, creator, children }: IdProps) {
  return (
    <Group gap="0 4px">
      <span className={classes.id}>{children ?? <Linked value={value} isRequest={isRequest} creator={creator} />}</span>
      <Copy value={value} />
    </Group>
  );
}

function Linked({ value, isRequest = false, creator }: Omit<IdProps, 'children'>) {
  const code = <Code>{value}</Code>;
  const page = isRequest ? linkOptions({ to: '/requests', search: { request: value } }) : pageOf(value, creator);
  return page === undefined ? code : <LinkTo {...page}>{code}</LinkTo>;
}

const pageOf = (id: string, creator: string | undefined) => {
  switch (id.slice(0, 4)) {
    case 'evt_':
      return linkOptions({ to: '/events/$id', params: { id } });
    case 'whd_':
      return linkOptions({ to: '/deliveries/$id', params: { id } });
    case 'crt_':
      return linkOptions({ to: '/creators/$id', params: { id } });
    case 'key_':
      return linkOptions({ to: '/keys', search: { key: id } });
    case 'whe_':
      return linkOptions({ to: '/webhooks', search: { endpoint: id } });
    case 'scn_':
    case 'cas_':
    case 'dix_':
    case 'imp_':
      if (creator === undefined) return undefined;
      return linkOptions({ to: '/creators/$id', params: { id: creator }, search: { record: id } });
  }
  return undefined;
};

const KEY = 'key:';

export const isOfKey = (actor = ''): boolean => actor.startsWith(KEY);

/** Who did something, such as `key:key_…`, `user:…` or `process:…`. */
export function Actor({ value }: { readonly value: string }) {
  if (!isOfKey(value)) return <span className={classes.id}>{value}</span>;
  const id = value.slice(KEY.length);
  return (
    <>
      <span className={classes.id}>
        {KEY}
        <Linked value={id} />
      </span>{' '}
      <Copy value={id} />
    </>
  );
}
