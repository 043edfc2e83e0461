import type { LinkProps } from '@tanstack/react-router';
import type { Right } from '../../src/session/answers.js';

export interface Page {
  readonly name: string;
  readonly path: NonNullable<LinkProps['to']>;
  /** The right without which the page is not in the navigation. */
  readonly right: Right;
}

/** The navigation, in its order. */
export const PAGES: readonly Page[] = [
  { name: 'Overview', path: '/', right: 'read' },
  { name: 'API keys', path: '/keys', right: 'read' },
  { name: 'Webhooks', path: '/webhooks', right: 'read' },
  { name: 'Deliveries', path: '/deliveries', right: 'read' },
  { name: 'Events', path: '/events', right: 'read' },
  { name: 'Requests', path: '/requests', right: 'read' },
  { name: 'Creators', path: '/creators', right: 'read' },
  { name: 'Usage', path: '/usage', right: 'read' },
  { name: 'Billing', path: '/billing', right: 'billing' },
];
