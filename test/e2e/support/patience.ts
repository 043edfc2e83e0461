/** How much longer everything may take than on embedded stores of a calm machine. */
export const PATIENCE = Number(process.env.E2E_PATIENCE ?? 1);
