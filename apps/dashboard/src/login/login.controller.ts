import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { IdentityProvider, LoginFailure, personOf, Sessions } from '#dashboard';
import { clientAddressOf, LookupAllowance, Public } from '#http';
import { Clock, Logger, MINUTE } from '#kernel';
import type { DashboardRequest } from '../access/dashboard-session.js';
import { Rights } from '../access/rights.js';
import { DashboardAddress, DashboardOptions } from '../address.js';
import { DashboardCookies } from '../cookies.js';
import { sendLoginProblem, sendSignedOut } from './message-page.js';

/** A limit for each address, because each login ends with a call to the provider. */
const MAX_LOGINS_PER_MINUTE = 20;

/** A parameter that is sent twice is a list. */
type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Signs people in at the identity provider, with authorization code and PKCE, and out again. */
@Controller('dashboard')
export class LoginController {
  private readonly started = new LookupAllowance(MAX_LOGINS_PER_MINUTE, MINUTE);
  private readonly finished = new LookupAllowance(MAX_LOGINS_PER_MINUTE, MINUTE);

  constructor(
    private readonly address: DashboardAddress,
    private readonly provider: IdentityProvider,
    private readonly sessions: Sessions,
    private readonly cookies: DashboardCookies,
    private readonly options: DashboardOptions,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  @Get('login')
  @Public()
  async login(@Req() request: DashboardRequest, @Res() reply: FastifyReply, @Query() query: Parameters): Promise<void> {
    const elsewhere = this.address.elsewhere(request);
    if (elsewhere !== undefined) return redirect(reply, elsewhere);
    const page = this.address.pageAt(single(query.return_to));
    await this.orShowProblem(reply, page, async () => {
      requireNavigation(request);
      this.count(this.started, request);
      const { url, checks } = await this.provider.begin();
      await this.cookies.addLogin(request, reply, { ...checks, page, startedAt: this.clock.now() });
      redirect(reply, url);
    });
  }

  @Get('callback')
  @Public()
  async callback(
    @Req() request: DashboardRequest,
    @Res() reply: FastifyReply,
    @Query() query: Parameters,
  ): Promise<void> {
    const login = await this.cookies.findLogin(request, single(query.state) ?? '');
    const page = login?.page ?? this.address.pageAt(undefined);
    const before = this.cookies.secretIn(request);
    await this.orShowProblem(reply, page, async () => {
      // The browser opened the address again, from its history or a restored tab (D115).
      if (login === undefined && before && (await this.sessions.find(before))) return redirect(reply, page);
      if (login === undefined) throw new LoginFailure('expired', 'the browser has no such login under way');
      this.count(this.finished, request);
      this.cookies.clearLogin(reply, login.state);
      const { search } = new URL(request.originalUrl, this.address.origin);
      const { claims, tokens } = await this.provider.finish(search, login);
      if (before !== undefined) await this.sessions.end(before);
      this.cookies.setSession(reply, await this.sessions.start(personOf(claims, this.options.claims), tokens));
      redirect(reply, page);
    });
  }

  /** The page then navigates to `location`, where the provider ends its own session. */
  @Post('logout')
  @HttpCode(200)
  @Rights('session')
  async logout(@Req() { signedIn }: DashboardRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (signedIn !== undefined) await this.sessions.end(signedIn.opened.secret);
    this.cookies.clearSession(reply);
    const atProvider = await this.provider.logoutUrl().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'could not find out where to sign out at the provider');
      return undefined;
    });
    return { location: atProvider ?? `${this.address.url}/signed-out` };
  }

  @Get('signed-out')
  @Public()
  signedOut(@Res() reply: FastifyReply): void {
    sendSignedOut(reply, loginPath(this.address.pageAt(undefined)));
  }

  private count(allowance: LookupAllowance, { raw }: DashboardRequest): void {
    const address = clientAddressOf(raw, this.options.trustedProxies);
    if (allowance.take(address, this.clock.now())) return;
    throw new LoginFailure('too_many', `more than ${MAX_LOGINS_PER_MINUTE} from one address within a minute`);
  }

  private async orShowProblem(reply: FastifyReply, page: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof LoginFailure)) throw error;
      this.logger.warn({ request_id: reply.request.id, reason: error.reason }, 'somebody could not sign in');
      sendLoginProblem(reply, error.problem, loginPath(page));
    }
  }
}

const redirect = (reply: FastifyReply, location: string): void => {
  reply.header('referrer-policy', 'no-referrer').redirect(location, 303);
};

/**
 * D109: another site can make a browser request this as an image, in a frame or in advance, which would use up the
 * allowance of the visitor's address. Browsers report this in a header; Node's `fetch` sends a mode but no destination.
 */
const requireNavigation = ({ headers }: DashboardRequest): void => {
  const { 'sec-fetch-dest': destination = 'document', 'sec-fetch-mode': mode, 'sec-purpose': purpose } = headers;
  if (destination === 'document' && mode !== 'no-cors' && purpose === undefined) return;
  throw new LoginFailure('framed', 'the request is not a page navigation');
};

const single = (parameter: Parameters[string]): string | undefined =>
  typeof parameter === 'string' ? parameter : undefined;

const loginPath = (page: string): string => {
  const { pathname, search } = new URL(page);
  return `/dashboard/login?return_to=${encodeURIComponent(pathname + search)}`;
};
