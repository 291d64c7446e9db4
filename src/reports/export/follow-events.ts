/** Events of some work, each turned into those that are passed on; errors meanwhile are thrown into the work. */
export async function* through<Event, Result, Passed>(
  events: AsyncGenerator<Event, Result, void>,
  take: (event: Event) => Promise<readonly Passed[]>,
): AsyncGenerator<Passed, Result, void> {
  let next = await events.next()
  while (!next.done) {
    try {
      for (const passed of await take(next.value)) yield passed
    } catch (error) {
      next = await events.throw(error)
      continue
    }
    next = await events.next()
  }
  return next.value
}

/** Takes all events of some work, and returns its result. */
export async function follow<Event, Result>(
  events: AsyncGenerator<Event, Result, void>,
  take: (event: Event) => Promise<void> | void,
): Promise<Result> {
  const all = through(events, async (event): Promise<never[]> => {
    await take(event)
    return []
  })
  return (await all.next()).value
}
