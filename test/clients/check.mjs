// Compares what the calls of a client have printed (standard input) with what the service does.
const EXPECTED = [
  /^list [1-9]\d*$/,
  // Milliseconds of this century: a client that has lost bits prints another number.
  /^link 201 not_activated 1[7-9]\d{11}$/,
  /^invite invited true$/i,
  /^400 invalid_request [1-9]$/,
  /^404 not_found$/,
  /^429 rate_limited$/,
  /^report "id"$/,
  /^events creator\.updated true$/i,
];

let text = '';
for await (const chunk of process.stdin) text += chunk;
const lines = text.trim().split('\n');
const wrong = EXPECTED.filter((line, index) => !line.test(lines[index] ?? ''));
if (wrong.length === 0 && lines.length === EXPECTED.length) process.exit(0);
process.stderr.write(`expected ${wrong.join(', ')}; printed:\n${text}\n`);
process.exit(1);
