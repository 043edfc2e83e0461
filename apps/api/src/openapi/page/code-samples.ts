import { TYPESCRIPT_SAMPLES } from './typescript-samples.js';

export interface SampledOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema?: { readonly example?: string } }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: object }>> }>
    >;
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: object | undefined;
  readonly isText: boolean;
}

/** `x-codeSamples` of an operation. They read the address and the key from the environment. */
export const codeSamples = (method: string, path: string, operation: SampledOperation) => {
  const call = callOf(method, path, operation);
  const typescript = TYPESCRIPT_SAMPLES[operation.operationId];
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    ...(typescript === undefined ? [] : [{ lang: 'TypeScript', label: 'TypeScript', source: typescript }]),
    { lang: 'Python', label: 'Python', source: python(call) },
  ];
};

const callOf = (
  method: string,
  path: string,
  { operationId, parameters = [], requestBody }: SampledOperation,
): Call => {
  const exampleOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema?.example;
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  return {
    method: method.toUpperCase(),
    path: path.replace('{id}', exampleOf('id') ?? ''),
    key: exampleOf('Idempotency-Key'),
    body: example?.value,
    isText: operationId === 'getReport',
  };
};

const curl = ({ method, path, key, body }: Call): string => {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SVC_URL${path}"`,
    '-H "Authorization: Bearer $SVC_KEY"',
    ...(key === undefined ? [] : [`-H 'Idempotency-Key: ${key}'`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ];
  return lines.join(' \\\n  ');
};

/** The bodies have texts and lists only, which are written in Python as in JSON. */
const python = ({ method, path, key, body, isText }: Call): string => `import os
import requests

response = requests.${method.toLowerCase()}(
    os.environ["SVC_URL"] + "${path}",
    headers={
        "Authorization": "Bearer " + os.environ["SVC_KEY"],${key === undefined ? '' : `\n        "Idempotency-Key": "${key}",`}
    },${body === undefined ? '' : `\n    json=${JSON.stringify(body, null, 4).replaceAll('\n', '\n    ')},`}
    timeout=30,
)
response.raise_for_status()
print(response.${isText ? 'text' : 'json()'})`;
