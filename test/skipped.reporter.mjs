/** Prints the name of each test that was skipped, which has the reason; not of those that `-t` leaves out. */
export default class {
  constructor({ testNamePattern }) {
    this.isPart = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, { testResults: files }) {
    if (this.isPart) return;
    const skipped = files.flatMap(({ testResults }) => testResults.filter(({ status }) => status === 'pending'));
    for (const { ancestorTitles, title } of skipped)
      process.stderr.write(`SKIPPED: ${[...ancestorTitles, title].join(' › ')}\n`);
  }
}
