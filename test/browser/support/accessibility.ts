import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** A color that fades in has too little contrast for a moment. */
const ANIMATIONS_END =
  'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)';

/** Returns axe's findings on the page as it is: the rule, and the elements that break it. */
export const accessibilityFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(ANIMATIONS_END);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
};
