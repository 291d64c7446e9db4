import {type Clock, pause} from '../../core/clock.js'
import {counted} from '../../values/counted.js'
import {type ProgramEnd, type ProgramOptions, runProgram} from '../run-program.js'

export type DeliverOptions = Omit<ProgramOptions, 'clock' | 'limitMilliseconds' | 'signal'> & {
  clock: Clock
  signal: AbortSignal
  /** Between two tries; there is one try more. */
  pausesMilliseconds?: readonly number[]
  limitMilliseconds?: number
}

/** `isStopped`: by the signal. `isHung`: it did not end in time. `last`: the last lines that it printed. */
export type DeliverEnd =
  | {isDelivered: true; tries: number}
  | {isDelivered: false; tries: number; why: string; last: readonly string[]; isStopped?: true; isHung?: true}

const usualPauses: readonly number[] = [2_000, 10_000]
const usualLimit = 3_600_000
const mostLines = 5

/** Runs the command that delivers a file until it succeeds; not again where it did not end in time or cannot start. */
export async function deliverFile(words: [string, ...string[]], options: DeliverOptions): Promise<DeliverEnd> {
  const {clock, signal, pausesMilliseconds = usualPauses, limitMilliseconds = usualLimit, onLine} = options
  for (let tries = 1; ; tries++) {
    const last: string[] = []
    const keep = (line: string) => {
      onLine(line)
      last.push(line)
      if (last.length > mostLines) last.shift()
    }
    const end = await runProgram(words, {...options, limitMilliseconds, onLine: keep})
    if (end.how === 'exit' && end.code === 0) return {isDelivered: true, tries}
    const failed = {isDelivered: false, tries, why: `${words[0]} ${describeEnd(end, limitMilliseconds)}`, last} as const
    if (end.how === 'stopped') return {...failed, isStopped: true}
    if (end.how === 'limit') return {...failed, isHung: true}
    const wait = pausesMilliseconds[tries - 1]
    if (end.how === 'not started' || wait === undefined) return failed
    try {
      await pause(wait, clock, signal)
    } catch {
      return {...failed, isStopped: true}
    }
  }
}

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'was not found; give its folder, too, because schedulers look in few',
  EACCES: 'may not be run',
}

function describeEnd(end: ProgramEnd, limitMilliseconds: number): string {
  switch (end.how) {
    case 'exit':
      return `ended with exit code ${end.code}`
    case 'signal':
      return `was killed by ${end.signal}`
    case 'limit':
      return `did not end within ${counted(Math.ceil(limitMilliseconds / 60_000), 'minute')} and was stopped`
    case 'stopped':
      return 'was stopped'
    case 'not started':
      return startFailures[end.code] ?? `cannot be started (${end.code})`
  }
}
