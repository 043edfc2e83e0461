/** Factor for all timeouts: 1 on embedded stores of an idle machine. */
export const TIMEOUT_FACTOR = Number(process.env.E2E_TIMEOUT_FACTOR ?? 1);
