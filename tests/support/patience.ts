/**
 * All time limits of the tests are multiplied by this factor. A limit only ends a test that hangs; no test
 * asserts how long anything takes. The limits are generous, so that the suite passes beside eight busy
 * processes on two cores.
 */
export const TIME_FACTOR = Number(process.env.TEST_TIME_FACTOR ?? 8);

/** @param ms the limit for an idle machine. @returns the limit for any machine, in ms. */
export const patient = (ms: number): number => ms * TIME_FACTOR;
