/** Gives each caller a separate tick of the event loop, in the order of the calls. */
export type Tick = () => Promise<void>;

/** How long urgent work may delay a tick, in ms. Even a flood of it leaves half of the time to ticks. */
const MAX_HELD_MS = 10;
let urgent = 0;

/**
 * Does urgent work, such as writing a message, before further ticks. The work consists of many short waits,
 * each of which would otherwise last as long as a render.
 */
export async function beforeTicks<T>(work: () => Promise<T>): Promise<T> {
  urgent += 1;
  try {
    return await work();
  } finally {
    urgent -= 1;
  }
}

/** Creates ticks. Long work is cut into ticks, so that requests are answered between them. */
export function createTicks(): Tick {
  const waiting: (() => void)[] = [];
  let heldUntil: number | null = null;

  function next(): void {
    if (urgent > 0) {
      heldUntil ??= performance.now() + MAX_HELD_MS;
      // Use a timer, so that the event loop can process the results of the urgent work.
      if (performance.now() < heldUntil) return void setTimeout(next, 1);
    }
    heldUntil = null;
    waiting.shift()?.();
    // If an immediate sets another one, Node runs it in the next tick.
    if (waiting.length > 0) setImmediate(next);
  }

  return () =>
    new Promise(resolve => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** The time limit for all work in one tick, in ms. The last step may end later. */
const SLICE_MS = 10;

const ticks = createTicks();
let endsAt = 0;
let slice = 0;
let isCounted = false;

export const ownTick: Tick = async () => {
  await ticks();
  beginSlice();
};

/** @returns a function that waits for a tick. Further calls resolve at once until that tick ends. */
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

/** Work that yields after each small step. */
export type Steps<T> = Generator<void, T, void>;

/** Does work in as many ticks as it needs. All work of the process shares the time limit of a tick. */
export async function inSlices<T>(work: Steps<T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (isLate()) await ownTick();
  }
}

/** Waits for a tick if the current one has lasted too long. Use it between tasks that have no steps. */
export async function tickIfLate(): Promise<void> {
  if (isLate()) await ownTick();
}

/** Does all steps in one tick. Use it for little work. */
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
