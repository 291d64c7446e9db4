const tries = 4

/**
 * How many times the CPU of `n` the double of it takes. The lowest of a few tries counts, because what else the machine
 * does only adds. `n` must be so large that a square would dominate.
 */
export async function growthOf(work: (n: number) => unknown, n: number): Promise<number> {
  await work(n / 50)
  let lowest = Number.POSITIVE_INFINITY
  for (let round = 0; round < tries && lowest >= 3; round++) {
    const one = Math.max(await cpuOf(() => work(n)), 1)
    lowest = Math.min(lowest, (await cpuOf(() => work(n * 2))) / one)
  }
  return lowest
}

/** In milliseconds. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const {user, system} = process.cpuUsage(before)
  return (user + system) / 1e3
}
