import { Code, Group } from '@mantine/core';
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
      <Copy value={value} what={value} />
    </Group>
  );
}

function Linked({ value, isRequest = false, creator }: Omit<IdProps, 'children'>) {
  const code = <Code>{value}</Code>;
  if (isRequest)
    return (
      <LinkTo to="/requests" search={{ request: value }}>
        {code}
      </LinkTo>
    );
  switch (value.slice(0, 4)) {
    case 'evt_':
      return (
        <LinkTo to="/events/$id" params={{ id: value }}>
          {code}
        </LinkTo>
      );
    case 'whd_':
      return (
        <LinkTo to="/deliveries/$id" params={{ id: value }}>
          {code}
        </LinkTo>
      );
    case 'crt_':
      return (
        <LinkTo to="/creators/$id" params={{ id: value }}>
          {code}
        </LinkTo>
      );
    case 'key_':
      return (
        <LinkTo to="/keys" search={{ key: value }}>
          {code}
        </LinkTo>
      );
    case 'whe_':
      return (
        <LinkTo to="/webhooks" search={{ endpoint: value }}>
          {code}
        </LinkTo>
      );
    case 'scn_':
    case 'cas_':
    case 'dix_':
    case 'imp_':
      return creator === undefined ? (
        code
      ) : (
        <LinkTo to="/creators/$id" params={{ id: creator }} search={{ record: value }}>
          {code}
        </LinkTo>
      );
    default:
      return code;
  }
}

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
      <Copy value={id} what={id} />
    </>
  );
}
