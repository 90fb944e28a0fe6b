/** Gives each caller a tick of the event loop to itself, in the order of the calls. */
export type Tick = () => Promise<void>;

/** Long work is cut into ticks, so that requests are answered between its ticks. */
export function createTicks(): Tick {
  const waiting: (() => void)[] = [];

  function next(): void {
    waiting.shift()?.();
    // An immediate that another immediate sets runs in the next tick.
    if (waiting.length > 0) setImmediate(next);
  }

  return () =>
    new Promise(resolve => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** How long all work in one tick may take together, in ms. The last step may end later. */
const SLICE_MS = 10;

const ticks = createTicks();
let endsAt = 0;
/** The number of the slice that is counted. */
let slice = 0;
let isCounted = false;

export const ownTick: Tick = async () => {
  await ticks();
  beginSlice();
};

/** @returns a function that waits for a tick. Later calls resolve at once while that tick lasts. */
export function heldTick(wait: Tick = ownTick): Tick {
  let own = Number.NaN;
  return async () => {
    if (isCounted && slice === own) return;
    await wait();
    own = slice;
  };
}

function beginSlice(): void {
  endsAt = performance.now() + SLICE_MS;
  isCounted = true;
  slice += 1;
  const own = slice;
  setImmediate(() => {
    if (own === slice) isCounted = false;
  });
}

function isLate(): boolean {
  if (!isCounted) beginSlice();
  return performance.now() >= endsAt;
}

/** Work in small steps, which yields after each step. */
export type Steps<T> = Generator<void, T, void>;

/** Does work in as many ticks as it needs. All work of the process shares one slice of each tick. */
export async function inSlices<T>(work: Steps<T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (isLate()) await ownTick();
  }
}

/** Waits for a tick if this one has lasted too long. For use between two pieces of work without steps. */
export async function tickIfLate(): Promise<void> {
  if (isLate()) await ownTick();
}

/** Does all steps in one tick. Only for little work. */
export function atOnce<T>(work: Steps<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

export function* mapSteps<T, U>(items: Iterable<T>, map: (item: T, index: number) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    mapped.push(map(item, mapped.length));
    yield;
  }
  return mapped;
}
