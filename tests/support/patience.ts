/**
 * The factor of all time limits in the tests. A limit ends a test that hangs; no test asserts how long anything takes.
 * So the limits are generous: the suite also passes beside eight busy processes on two cores.
 */
export const TIME_FACTOR = Number(process.env.TEST_TIME_FACTOR ?? 8);

/** @returns a time limit, in ms, from what an idle machine needs at most. */
export const patient = (ms: number): number => ms * TIME_FACTOR;
