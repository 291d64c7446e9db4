const renewals: (() => void)[] = []

/** State of the process, not of a command. It is made again whenever the program starts. */
export function createProcessState<State extends object>(create: () => State): () => State {
  let state = create()
  renewals.push(() => {
    state = create()
  })
  return () => state
}

/** To be called when the program starts: nothing of an earlier start in the same process is left. */
export function renewProcessState(): void {
  for (const renew of renewals) renew()
}
