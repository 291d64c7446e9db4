/** Lets callers through one at a time, in the order in which they came. */
export type Queue = <Value>(work: () => Promise<Value>, signal?: AbortSignal) => Promise<Value>

/** Whoever is aborted leaves at once, with the reason of the signal; the order of the others stays as it is. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()

  return async (work, signal) => {
    const before = last
    const done = Promise.withResolvers<void>()
    last = done.promise
    try {
      await untilAborted(before, signal)
      return await work()
    } finally {
      before.then(() => done.resolve())
    }
  }
}

async function untilAborted(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (!signal) {
    await before
    return
  }

  const aborted = Promise.withResolvers<never>()
  const leave = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', leave, {once: true})
  try {
    await Promise.race([before, aborted.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
