import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** How long something on a page may take to appear, in milliseconds. */
const PATIENCE = 20_000;

/** People whom the sandbox's identity provider knows. */
export type Person =
  | 'Nora Lindgren'
  | 'Tomas Okafor'
  | 'Mireille Costa'
  | 'Priya Raman'
  | 'Jonas Weber'
  | 'Aiko Tanaka';

export interface View {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Runs in the page: text, because the types of a browser are not those of the service. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  window.reportViolation('securitypolicyviolation: ' + violatedDirective + ' ' + blockedURI));`;

let browser: Promise<Browser> | undefined;

/** One Chromium for all pages of a spec. Only as root does it need to run without its sandbox. */
const chromiumOfSpec = (): Promise<Browser> => {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  return browser;
};

export const closeBrowser = async (): Promise<void> => {
  const launched = browser;
  browser = undefined;
  await (await launched)?.close();
};

/** A person in front of a browser with an empty profile. */
export class Visitor {
  /** Errors that the pages reported: failed policies, exceptions, messages on the console. */
  readonly problems: string[] = [];

  private constructor(
    readonly dashboardUrl: string,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async arrive(dashboardUrl: string, { colorScheme = 'light', width = 1_280 }: View = {}): Promise<Visitor> {
    const context = await (await chromiumOfSpec()).newContext({ colorScheme, viewport: { width, height: 800 } });
    context.setDefaultTimeout(PATIENCE);
    const visitor = new Visitor(dashboardUrl, context, await context.newPage());
    await visitor.collectProblems();
    return visitor;
  }

  /** Opens a path under `/dashboard`, and signs in on the provider's page. */
  static async signedIn(dashboardUrl: string, person: Person, path = '/', view: View = {}): Promise<Visitor> {
    const visitor = await Visitor.arrive(dashboardUrl, view);
    await visitor.open(path);
    await visitor.signInAs(person);
    return visitor;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.dashboardUrl}${path}`);
  }

  /** On the provider's page, which lists the people. */
  async signInAs(person: Person): Promise<void> {
    await this.page.getByRole('button', { name: person }).click();
    await this.heading().waitFor();
  }

  /** Goes to a page over the navigation. */
  async go(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click();
    await this.heading(name).waitFor();
  }

  heading(name?: string): Locator {
    return this.page.getByRole('heading', { level: 1, ...(name !== undefined && { name, exact: true }) });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name, exact: true });
  }

  alertdialog(name: string): Locator {
    return this.page.getByRole('alertdialog', { name, exact: true });
  }

  /** The row of a table with this text in it. */
  row(table: string, text: string): Locator {
    return this.page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
  }

  /** Chooses an item of the menu of a row's actions. */
  async act(row: Locator, name: string): Promise<void> {
    await row.getByRole('button', { name: /^Actions for / }).click();
    await this.page.getByRole('menuitem', { name, exact: true }).click();
  }

  /** Returns the column names of a table, in order. */
  async columns(table: string): Promise<string[]> {
    const headers = this.page.getByRole('table', { name: table, exact: true }).getByRole('columnheader');
    await headers.first().waitFor();
    return headers.allTextContents();
  }

  /** How wide the page is, in pixels; more than the window if it has a horizontal scroll bar. */
  pageWidth(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth');
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  private async collectProblems(): Promise<void> {
    await this.context.exposeFunction('reportViolation', (text: string) => this.problems.push(text));
    await this.context.addInitScript(REPORT_VIOLATIONS);
    this.page.on('pageerror', (error) => this.problems.push(error.message));
  }
}
