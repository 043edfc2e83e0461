import { Anchor, type AnchorProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Element<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** Mantine's links as links of the router. */
export const LinkTo = createLink((props: Element<AnchorProps>) => <Anchor {...props} />);
export const NavLinkTo = createLink((props: Element<NavLinkProps>) => <NavLink component="a" {...props} />);
