/** Declares the parts of autocannon that the benches use; the package ships no types. */
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    amount?: number;
    duration?: number;
    overallRate?: number;
    setupClient(client: { setRequests(requests: readonly object[]): void }): void;
  }

  interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    timeouts: number;
    /** Milliseconds. */
    latency: { p99: number };
  }

  interface Run extends Promise<Result> {
    on(event: 'response', listener: () => void): void;
  }

  export default function autocannon(options: Options): Run;
}
