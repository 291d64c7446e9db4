import {exitCodeOf} from '../contract/index.js'
import {CliFailure, toEntries} from '../errors.js'
import {whyUnheard, workUnheard} from './error-output.js'
import {createMessages} from './messages.js'
import {standardOutput} from './output.js'
import {redactStream} from './redact.js'
import {renderFailure} from './render-failure.js'
import {installSignals, PipeClosed} from './signals.js'
import type {Program} from './start/program.js'
import type {Asked} from './start/words.js'
import {toCliFailure} from './to-cli-failure.js'
import {toNoCommand, toUnknownCommand, toUnknownSubject, toWordTooMany} from './unknown-command.js'
import {wantsJson} from './wants-json.js'

type Exiting = Error & {code?: string; oclif?: {exit?: number}}
type Leave = (code: number) => never

/**
 * Runs what one command line asks for. Resolves with the exit code once all output was taken. What went well and could
 * not be told, because the disk under standard error is full, is `storage`.
 */
export async function main(words: string[], asked: Asked, program: Program, leave: Leave): Promise<number> {
  prepare(leave)
  return heard(() => run(words, asked, program), words)
}

/** Prints what could not be printed the short way, and says why if it cannot be printed at all. */
export async function printWhole(bytes: Uint8Array): Promise<number> {
  workUnheard()
  return heard(() => standardOutput.write(bytes), [])
}

function prepare(leave: Leave): void {
  workUnheard()
  redactStream(process.stderr)
  installSignals(leave)
  process.on('uncaughtException', (error) => leave(endWith(error)))
  process.on('unhandledRejection', (error) => leave(endWith(error)))
}

async function heard(work: () => Promise<void>, words: readonly string[]): Promise<number> {
  const code = await codeOf(work, words)
  const unheard = await whyUnheard()
  return code === 0 && unheard && unheard.code !== 'EPIPE' ? exitCodeOf('storage').code : code
}

async function codeOf(work: () => Promise<void>, words: readonly string[]): Promise<number> {
  try {
    await untilDone(work())
    return Number(process.exitCode ?? 0)
  } catch (error) {
    const code = endWith(error)
    if (error instanceof CliFailure && wantsJson(words, process.env)) await presentFailure(error, words)
    return code
  }
}

/** An event loop that runs empty before the work is done would end the process as if it had succeeded. */
function untilDone(work: Promise<void>): Promise<void> {
  const {promise, reject} = Promise.withResolvers<never>()
  process.once('beforeExit', () => reject(endedEarly()))
  return Promise.race([work, promise])
}

function endedEarly(): CliFailure {
  return new CliFailure('The program ran out of work before the command had finished. This is a defect of vendorctl.', {
    code: 'ENDED_EARLY',
    exit: 'failure',
    changed: 'unknown',
    retry: 'no',
    hints: ['See what is known of a run that writes: vendorctl runs list'],
  })
}

async function run(words: readonly string[], asked: Asked, program: Program): Promise<void> {
  const known = () => [...Object.keys(program.commands), ...program.topics]
  if (asked.kind === 'unknown') throw toUnknownCommand(asked.words, known())
  if (asked.kind === 'help') throw toUnknownSubject(words, known())
  if (asked.kind === 'noCommand') throw toNoCommand(asked, Object.keys(program.commands))
  if (asked.kind === 'tooMany') throw toWordTooMany(asked.id, asked.word)
  if (asked.kind !== 'command') return
  const {runCommand} = await import('./run-command.js')
  await runCommand(asked, program)
}

/** The envelope of a failure that no command was there to present. */
async function presentFailure(failure: CliFailure, words: readonly string[]): Promise<void> {
  const {printEnvelope} = await import('./envelope.js')
  const flag = words.findIndex((word) => word.startsWith('-'))
  const none = {ok: false, runId: null, data: null, meta: {}, warnings: []}
  const envelope = {
    ...none,
    command: (flag === -1 ? words : words.slice(0, flag)).join(' '),
    errors: toEntries(failure),
  }
  // The failure itself was told on standard error; a closed or full standard output changes nothing about it.
  await standardOutput.write(printEnvelope(envelope)).catch(() => undefined)
}

function endWith(error: unknown): number {
  const {code, oclif} = (error ?? {}) as Exiting
  if (error instanceof PipeClosed || code === 'EPIPE') return 0
  if (code === 'EEXIT') return oclif?.exit ?? 0
  const failure = error instanceof CliFailure ? error : toCliFailure(error)
  createMessages({quiet: false, verbose: false}).tell(renderFailure(failure, process.stderr))
  return failure.exitCode
}
