import {exitCodeOf, stopExits} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {type Environment, takeEnvironment} from '../../core/environment.js'
import {CliFailure, toEntries} from '../../core/errors.js'
import {redactStream} from '../../core/redact.js'
import {createEnvelope, type Envelope} from '../app/envelope.js'
import {createMessages, renderFailure} from '../app/messages.js'
import type {Asked} from '../app/program.js'
import {wantsJson} from '../app/read-arguments.js'
import {toCliFailure} from '../app/usage-error.js'
import {ignoreErrorsOfStderr} from '../terminal/error-output.js'
import {writeLast} from '../terminal/output.js'
import {installSignals, PipeClosed} from '../terminal/signals.js'
import {recordEnd} from './watched.js'

type Exiting = Error & {code?: string; oclif?: {exit?: number}}
export type Leave = (code: number) => never

/** The envelope for a failure, and whether `--json` asks for it. */
export type Json = {isWanted: boolean; environment: Environment; envelope: Envelope}

export function readJson(args: readonly string[], asked?: Asked): Json {
  const environment = takeEnvironment()
  const flag = args.findIndex((word) => word.startsWith('-'))
  const named = asked?.kind === 'command' ? asked.id.split(':') : args.slice(0, flag === -1 ? undefined : flag)
  return {isWanted: wantsJson(args, environment), environment, envelope: createEnvelope(named.join(' '))}
}

/** Makes every ending of the process show why it ends. */
export function prepareEndings(json: Json, leave: Leave): void {
  ignoreErrorsOfStderr()
  redactStream(process.stderr)
  const end = (error: unknown) => {
    const {code, failure} = endWith(error)
    if (failure) closeEnvelope(failure, json)
    recordEnd(code)
    leave(code)
  }
  installSignals((code, left) => {
    closeEnvelope(stoppedEarly(code, left.message), json, left.runId)
    recordEnd(code)
    leave(code)
  }, systemClock.monotonic)
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

/** Closes the envelope without waiting, because the process ends now. */
function closeEnvelope(failure: CliFailure, json: Json, runId?: string): void {
  if (json.isWanted) writeLast(toEnding(failure, json, runId))
}

/** The message at a second signal, as a failure. */
function stoppedEarly(code: number, message: string): CliFailure {
  const lines = message.split('\n')
  const hints = lines.filter((line) => line.startsWith('→ ')).map((line) => line.slice(2))
  const said = lines.filter((line) => !line.startsWith('→ ')).join(' ')
  return new CliFailure(said || 'Stopped by a second signal, before the command had finished.', {
    code: 'STOPPED_EARLY',
    exit: stopExits.find((exit) => exitCodeOf(exit).code === code) ?? 'terminated',
    changed: 'unknown',
    retry: 'reconcile-first',
    hints: hints.length > 0 ? hints : ['See what is known of a run that writes: vendorctl runs list'],
  })
}

/** The envelope of a failure outside commands: a new one, or the end of one whose records are being written. */
export function toEnding(failure: CliFailure, {envelope}: Json, runId?: string): string {
  return [...envelope.close({exit: failure.exit, runId, errors: toEntries(failure)})].join('')
}

/** The exit code of an error, and its failure once that is printed; a closed pipe is none. */
export function endWith(error: unknown): {code: number; failure?: CliFailure} {
  const {code, oclif} = (error ?? {}) as Exiting
  if (error instanceof PipeClosed || code === 'EPIPE') return {code: 0}
  if (code === 'EEXIT') return {code: oclif?.exit ?? 0}
  const failure = error instanceof CliFailure ? error : toCliFailure(error)
  createMessages({quiet: false, verbose: false}).tell(renderFailure(failure, process.stderr))
  return {code: failure.exitCode, failure}
}
