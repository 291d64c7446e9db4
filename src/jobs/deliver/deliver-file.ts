import {basename, resolve} from 'node:path'
import {type Clock, pause} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {describeEnd, type ProgramOptions, runProgram} from '../run-program.js'
import {splitArguments} from '../split-arguments.js'

export type DeliverOptions = Omit<ProgramOptions, 'clock' | 'limitMilliseconds' | 'signal'> & {
  clock: Clock
  signal: AbortSignal
  /** Pauses between tries, of which there is one more. */
  pausesMilliseconds?: readonly number[]
  /** Whether the file is still as it was before the first try; asked before each further one. */
  isUnchanged?: () => Promise<boolean>
  limitMilliseconds?: number
}

/** `isStopped`: by the signal. `isHung`: it did not end in time. `last`: the last lines that it printed. */
export type DeliverEnd =
  | {isDelivered: true; tries: number}
  | {isDelivered: false; tries: number; why: string; last: readonly string[]; isStopped?: true; isHung?: true}

const usualPauses: readonly number[] = [2_000, 10_000]
const usualLimit = 3_600_000
const mostLines = 5

/** Runs the command that delivers a file, and tries again unless it did not end in time or cannot start. */
export async function deliverFile(words: [string, ...string[]], options: DeliverOptions): Promise<DeliverEnd> {
  const {clock, signal, pausesMilliseconds = usualPauses, limitMilliseconds = usualLimit, onLine, isUnchanged} = options
  for (let tries = 1; ; tries++) {
    const last: string[] = []
    const keep = (line: string) => {
      onLine(line)
      last.push(line)
      if (last.length > mostLines) last.shift()
    }
    const end = await runProgram(words, {...options, limitMilliseconds, onLine: keep})
    if (end.how === 'exit' && end.code === 0) return {isDelivered: true, tries}
    const why = `${words[0]} ${describeEnd(end, counted(Math.ceil(limitMilliseconds / 60_000), 'minute'))}`
    const failed = {isDelivered: false, tries, why, last} as const
    if (end.how === 'stopped') return {...failed, isStopped: true}
    if (end.how === 'limit') return {...failed, isHung: true}
    const wait = pausesMilliseconds[tries - 1]
    if (end.how === 'not started' || wait === undefined) return failed
    try {
      await pause(wait, clock, signal)
    } catch {
      return {...failed, isStopped: true}
    }
    if ((await isUnchanged?.()) === false) return failed
  }
}

export type Delivered = {
  /** Absolute paths of the file and its manifest. */
  file: string
  manifest: string
}

export type DeliveryCommand = ReturnType<typeof toDeliveryCommand>

const placeholder = /\{([^{}]*)\}/g
const known = ['file', 'manifest', 'name']

/** The command of `--deliver`. Throws `usage` where it is none, and at an unknown placeholder. */
export function toDeliveryCommand(text: string) {
  const words = splitArguments(text, 'deliver')
  const used = words.flatMap((word) => [...word.matchAll(placeholder)].map(([, name = '']) => name))
  const unknown = used.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new CliFailure(`--deliver: no value for {${unknown}}`, {
      code: 'TEMPLATE',
      hints: ['Known: {file} (absolute path), {manifest}, {name} (name of the file without its folder).'],
    })
  return {
    usesManifest: used.includes('manifest'),
    fill({file, manifest}: Delivered): [string, ...string[]] {
      const values: Readonly<Record<string, string>> = {file, manifest, name: basename(file)}
      const fillIn = (word: string) => word.replace(placeholder, (_, name: string) => values[name] ?? '')
      const [program, ...rest] = words
      return [fillIn(program), ...rest.map(fillIn)]
    },
  }
}

/** Delivery of a file that is not an export: the same command writes and delivers it again. Throws `usage`. */
export function toFileDelivery(
  deliver: string,
  path: string,
  {redact, ...options}: DeliverOptions & {redact: (text: string) => string},
): () => Promise<void> {
  const command = toDeliveryCommand(deliver)
  if (command.usesManifest) throw usage('--deliver: only exports have a {manifest}.', 'Leave {manifest} out.')

  /** Throws `unavailable` where the command failed. */
  return async () => {
    const end = await deliverFile(command.fill({file: resolve(path), manifest: ''}), options)
    if (end.isDelivered) return options.onLine(`Delivered ${path}.`)
    const {tries, why, last} = end
    const text = redact([why, ...last.slice(-1)].join(': '))
    const times = tries === 1 ? '1 try' : `${tries} tries`
    throw new CliFailure(`${path} is complete, but it was not delivered (${times}): ${text}.`, {
      code: 'DELIVERY_FAILED',
      retry: 'safe',
      hints: ['Run the same command again: it writes the file anew and delivers it.'],
    })
  }
}
