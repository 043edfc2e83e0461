import { isIPv4, isIPv6 } from 'node:net';
import dns2 from 'dns2';

/** The records of a name at one time. */
export interface Records {
  readonly addresses?: readonly string[];
  /** Another name of the zone, whose addresses are given out with it. */
  readonly cname?: string;
  readonly fault?: 'servfail' | 'silence';
}

type Packet = InstanceType<typeof dns2.Packet>;
type Send = (response: Packet) => Promise<Buffer>;

const { TYPE, CLASS, Resource } = dns2.Packet;
const NXDOMAIN = 3;
const SERVFAIL = 2;

/** A DNS server on this machine, which may answer differently each time that it is asked. */
export class NameServer {
  /** All that was asked, such as `A hooks.agency.com`. */
  readonly questions: string[] = [];
  private readonly zone = new Map<string, Records[]>();

  private constructor(
    private readonly server: dns2.DnsServer,
    /** As `Resolver.setServers` takes it. */
    readonly address: string,
  ) {}

  static async start(): Promise<NameServer> {
    const server = dns2.createServer({ udp: true, handle: (request, send) => nameServer.answer(request, send) });
    const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
    const nameServer = new NameServer(server, `127.0.0.1:${udp?.port}`);
    return nameServer;
  }

  /** Sets the records of a name. If there are several, each question for IPv4 uses the next; the last stays. */
  set(name: string, ...records: readonly [Records, ...Records[]]): void {
    this.zone.set(name, [...records]);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private answer(request: Packet, send: Send): void {
    const response = dns2.Packet.createResponseFromRequest(request);
    const [question] = request.questions;
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    this.questions.push(`${question.type === TYPE.A ? 'A' : 'AAAA'} ${name}`);
    const records = this.recordsOf(name, question.type);
    if (records?.fault === 'silence') return;
    if (records === undefined) response.header.rcode = NXDOMAIN;
    else if (records.fault === 'servfail') response.header.rcode = SERVFAIL;
    else this.fill(response, name, records, question.type);
    void send(response);
  }

  private fill(response: Packet, name: string, { addresses = [], cname }: Records, type: number): void {
    const add = (record: object) => response.answers.push(new Resource({ name, class: CLASS.IN, ttl: 0, ...record }));
    if (cname !== undefined) {
      add({ type: TYPE.CNAME, domain: cname });
      this.fill(response, cname, this.recordsOf(cname, type) ?? {}, type);
    }
    const isAsked = type === TYPE.A ? isIPv4 : isIPv6;
    for (const address of addresses.filter(isAsked)) add({ type, address });
  }

  /** A resolver asks for both families concurrently; the question for IPv4 switches to the next answer. */
  private recordsOf(name: string, type: number): Records | undefined {
    const records = this.zone.get(name);
    if (records === undefined || records.length === 1 || type !== TYPE.A) return records?.[0];
    return records.shift();
  }
}
