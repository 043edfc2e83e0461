// Writes the closed rendering of a service's document: `node write-closed-document.mjs <url> <file>`.
import { writeFileSync } from 'node:fs';
import { closedDocument } from './closed-document.ts';

const [url, file] = process.argv.slice(2);
const document = await fetch(`${url}/openapi.json`);
writeFileSync(file, JSON.stringify({ ...closedDocument(await document.json()), servers: [{ url }] }));
