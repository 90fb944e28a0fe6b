/**
 * Factor on all time limits of the tests. A limit only ends a hanging test: no test asserts a duration. The
 * limits are generous, so that the suite passes beside eight busy processes on two cores.
 */
export const TIME_FACTOR = Number(process.env.TEST_TIME_FACTOR ?? 8);

/** @param ms the limit for an idle machine @returns the limit for any machine, in ms. */
export const patient = (ms: number): number => ms * TIME_FACTOR;
