import { ActionIcon, Anchor, type AnchorProps, NavLink, type NavLinkProps, VisuallyHidden } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { createLink, linkOptions } from '@tanstack/react-router';
import { type ComponentPropsWithRef, type ReactNode, useState } from 'react';
import { addressOf } from '../api/client.js';
import classes from './cut.module.css';
import { endpointName, words } from './formats.js';
import { copyText } from './toast.js';

type Element<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const LinkTo = createLink((props: Element<AnchorProps>) => <Anchor inherit {...props} />);
export const NavLinkTo = createLink((props: Element<NavLinkProps>) => <NavLink component="a" {...props} />);

interface CopyProps {
  readonly value: string;
  /** Names the value in the button's label, if it is not the value itself. */
  readonly what?: string;
}

export function Copy({ value, what = value }: CopyProps) {
  return (
    <ActionIcon
      className={classes.copy ?? ''}
      variant="subtle"
      size={24}
      aria-label={`Copy ${what}`}
      onClick={() => copyText(value)}
    >
      <IconCopy size={14} />
    </ActionIcon>
  );
}

const SHORT = 20;
const HEAD = 8;
const TAIL = 4;
const graphemes = new Intl.Segmenter('en');

interface CutProps {
  readonly children: string;
  readonly isId?: boolean;
}

/** A text of any length and direction in one line: cut in the middle where there is no room, whole in its tip. */
export function Cut({ children: text, isId = false }: CutProps) {
  if (text.length <= SHORT) return <bdi className={isId ? classes.id : undefined}>{text}</bdi>;
  if (isId) {
    return (
      <bdi className={classes.id} data-short={`${text.slice(0, HEAD)}…${text.slice(-TAIL)}`} data-tip={text}>
        <VisuallyHidden>{text}</VisuallyHidden>
      </bdi>
    );
  }
  const parts = [...graphemes.segment(text)].map(({ segment }) => segment);
  return (
    <bdi className={classes.cut} data-tip={text}>
      <span className={classes.start}>{parts.slice(0, -TAIL).join('')}</span>
      <span className={classes.end}>{parts.slice(-TAIL).join('')}</span>
    </bdi>
  );
}

/** A text that a person chose, where it may take several lines. */
export function Name({ children }: { readonly children: string }) {
  return <bdi className={classes.name}>{children}</bdi>;
}

export interface IdProps {
  readonly value: string;
  /** Links to the request's page. Only requests with an API key have one. */
  readonly isRequest?: boolean | undefined;
  /** The creator whose page shows a scan, case, deindex request or impersonation. */
  readonly creator?: string | undefined;
  /** On the page of what it names. */
  readonly isPlain?: boolean;
}

/** An id that links to its page, if it has one. A link gets its copy button with the pointer or focus: a list has 50. */
export function Id({ value, isRequest = false, creator, isPlain = false }: IdProps) {
  const [wasReached, setWasReached] = useState(false);
  const reach = () => setWasReached(true);
  const linked = isRequest ? linkOptions({ to: '/requests/$id', params: { id: value } }) : pageOf(value, creator);
  const page = isPlain ? undefined : linked;
  return (
    <span className={classes.withCopy}>
      {page === undefined ? (
        <Cut isId>{value}</Cut>
      ) : (
        <LinkTo {...page} onPointerEnter={reach} onFocus={reach}>
          <Cut isId>{value}</Cut>
        </LinkTo>
      )}
      {(wasReached || page === undefined) && <Copy value={value} />}
    </span>
  );
}

interface DownloadProps {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | undefined>>;
  readonly children: ReactNode;
}

export function Download({ path, parameters, children }: DownloadProps) {
  return (
    <Anchor href={addressOf(path, parameters)} download size="sm" data-no-print>
      {children}
    </Anchor>
  );
}

interface ThingProps {
  readonly id: string;
  /** Null for a thing that may not be seen any more, which has its id as its name. */
  readonly name: string | null;
}

/** A thing by its name, which leads to its page: the same one everywhere. */
export function Thing({ id, name }: ThingProps) {
  const page = pageOf(id, undefined);
  const shown = <Cut isId={name === null}>{name ?? id}</Cut>;
  return page === undefined ? (
    shown
  ) : (
    <LinkTo {...page} {...(name !== null && { 'aria-label': name })}>
      {shown}
    </LinkTo>
  );
}

export function EndpointLink({ id, url }: { readonly id: string; readonly url: string | null }) {
  return <Thing id={id} name={url === null ? null : endpointName(url)} />;
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
      return linkOptions({ to: '/keys/$id', params: { id } });
    case 'whe_':
      return linkOptions({ to: '/webhooks/$id', params: { id } });
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

/** Its ids are not those of requests: nobody sent one. */
export const isOfProcess = (actor: string): boolean => actor.startsWith('process:');

interface ActorProps {
  /** Such as `key:key_…`, `user:…`, `process:…` or `operator:…`. */
  readonly value: string;
  readonly name: string | null;
}

/** Who caused an event: by name, or else by role and a short id. */
export function Actor({ value, name }: ActorProps) {
  const [role = '', ...rest] = value.split(':');
  const id = rest.join(':');
  if (isOfKey(value)) return <Thing id={id} name={name} />;
  if (name !== null) return <Cut>{name}</Cut>;
  return (
    <>
      {words(role)} <Cut isId>{id}</Cut>
    </>
  );
}
