import type {Config} from '@oclif/core'
import {exitCodeOf, stopExits} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, toEntries} from '../../core/errors.js'
import {createEnvelope, type Envelope} from '../app/envelope.js'
import {type Environment, takeEnvironment} from '../app/environment.js'
import {createMessages} from '../app/messages.js'
import type {Asked, CommandClass, CommandStart, Program} from '../app/program.js'
import {renderFailure} from '../app/render-failure.js'
import {toCliFailure} from '../app/to-cli-failure.js'
import {wantsJson} from '../app/wants-json.js'
import {readFacts} from '../help/facts.js'
import {findStderrError, ignoreErrorsOfStderr} from '../terminal/error-output.js'
import {dataOutput, standardOutput, writeLast} from '../terminal/output.js'
import {redactStream} from '../terminal/redact.js'
import {installSignals, PipeClosed} from '../terminal/signals.js'
import {toNoCommand, toUnexpectedArgument, toUnknownCommand, toUnknownSubject} from './unknown-command.js'
import {recordEnd, reportEnd, reportToWatcher} from './watched.js'

type Exiting = Error & {code?: string; oclif?: {exit?: number}}
type Leave = (code: number) => never

/** Where a failure is shown as JSON, when that is asked for. */
type Json = {isWanted: boolean; environment: Environment; envelope: Envelope}

/**
 * Runs one command line. Resolves with the exit code once all output is written; a success whose messages could not be
 * written is `storage`.
 */
export async function main(args: string[], asked: Asked, program: Program, leave: Leave): Promise<number> {
  const json = readJson(args, asked)
  prepare(json, leave)
  await reportToWatcher(json.environment)
  return withMessages(() => run(args, asked, program, json), json)
}

/** Prints the rest of a text that `print` could not, and reports why where this fails too. */
export async function printRest(bytes: Uint8Array): Promise<number> {
  ignoreErrorsOfStderr()
  return withMessages(() => standardOutput.write(bytes), readJson([]))
}

function readJson(args: readonly string[], asked?: Asked): Json {
  const environment = takeEnvironment()
  const flag = args.findIndex((word) => word.startsWith('-'))
  const named = asked?.kind === 'command' ? asked.id.split(':') : args.slice(0, flag === -1 ? undefined : flag)
  return {isWanted: wantsJson(args, environment), environment, envelope: createEnvelope(named.join(' '))}
}

function prepare(json: Json, leave: Leave): void {
  ignoreErrorsOfStderr()
  redactStream(process.stderr)
  const end = (error: unknown) => {
    const {code, failure} = endWith(error)
    if (failure) closeEnvelope(failure, json)
    recordEnd(code)
    leave(code)
  }
  installSignals((code) => {
    closeEnvelope(stoppedEarly(code), json)
    recordEnd(code)
    leave(code)
  }, systemClock.monotonic)
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

/** Closes the envelope without waiting, because the process ends now. */
function closeEnvelope(failure: CliFailure, json: Json): void {
  if (json.isWanted) writeLast(toEnding(failure, json))
}

function stoppedEarly(code: number): CliFailure {
  return new CliFailure('Stopped by a second signal, before the command had finished.', {
    code: 'STOPPED_EARLY',
    exit: stopExits.find((exit) => exitCodeOf(exit).code === code) ?? 'terminated',
    changed: 'unknown',
    retry: 'reconcile-first',
    hints: ['See what is known of a run that writes: vendorctl runs list'],
  })
}

async function withMessages(work: () => Promise<void>, json: Json): Promise<number> {
  const code = await codeOf(work, json)
  const error = await findStderrError()
  const exitCode = code === 0 && error && error.code !== 'EPIPE' ? exitCodeOf('storage').code : code
  await reportEnd(exitCode)
  return exitCode
}

async function codeOf(work: () => Promise<void>, json: Json): Promise<number> {
  try {
    await untilDone(work())
    return Number(process.exitCode ?? 0)
  } catch (error) {
    const {code, failure} = endWith(error)
    if (failure && json.isWanted) await dataOutput.write(toEnding(failure, json)).catch(() => undefined) // printed already
    return code
  }
}

/** The work, or a failure when the event loop is empty before it is done: the process would end as if it succeeded. */
function untilDone(work: Promise<void>): Promise<void> {
  const {promise, reject} = Promise.withResolvers<never>()
  process.once('beforeExit', () => reject(endedEarly()))
  return Promise.race([work, promise])
}

function endedEarly(): CliFailure {
  return new CliFailure('The program ran out of work before the command had finished. This is a defect of vendorctl.', {
    code: 'ENDED_EARLY',
    changed: 'unknown',
    retry: 'no',
    hints: ['See what is known of a run that writes: vendorctl runs list'],
  })
}

async function run(args: readonly string[], asked: Asked, program: Program, json: Json): Promise<void> {
  const known = () => [...Object.keys(program.commands), ...program.topics]
  if (asked.kind === 'unknown') throw toUnknownCommand(asked.args, known())
  if (asked.kind === 'help') throw toUnknownSubject(args, known())
  if (asked.kind === 'noCommand') throw toNoCommand(asked, Object.keys(program.commands))
  if (asked.kind === 'refused') throw asked.failure
  if (asked.kind === 'unexpected') throw toUnexpectedArgument(asked.id, asked.argument)
  if (asked.kind !== 'command') return
  await runCommand(asked, program, json)
}

/** The envelope of a failure outside commands: a new one, or the end of one whose records are being written. */
function toEnding(failure: CliFailure, {envelope}: Json): string {
  return [...envelope.close({exit: failure.exit, errors: toEntries(failure)})].join('')
}

/** The exit code of an error, and its failure once that is printed; a closed pipe is none. */
function endWith(error: unknown): {code: number; failure?: CliFailure} {
  const {code, oclif} = (error ?? {}) as Exiting
  if (error instanceof PipeClosed || code === 'EPIPE') return {code: 0}
  if (code === 'EEXIT') return {code: oclif?.exit ?? 0}
  const failure = error instanceof CliFailure ? error : toCliFailure(error)
  createMessages({quiet: false, verbose: false}).tell(renderFailure(failure, process.stderr))
  return {code: failure.exitCode, failure}
}

/** Loads the command of an id and runs it with the arguments after its name. */
async function runCommand(
  {id, args}: {id: string; args: string[]},
  program: Program,
  {environment, envelope}: Pick<CommandStart, 'environment' | 'envelope'>,
): Promise<void> {
  const Command = await load(id, program)
  const config = toConfig(program, environment)
  const commands = {
    root: program.root,
    known: async () => readFacts((await program.facts()).commands),
    check: async (other: string, given: readonly string[]) =>
      (await load(other, program)).check({args: [...given], config}),
  }
  await Command.start({args, config, environment, clock: systemClock, envelope, commands})
}

async function load(id: string, program: Program): Promise<CommandClass> {
  const module = await program.load[id]?.()
  if (!module) throw new TypeError(`no command ${id}`)
  module.default.id = id
  return module.default
}

/**
 * The part of oclif's configuration that commands and the parser use. The rest finds plugins, hooks and commands in
 * files, which the build did already.
 */
function toConfig({version, root}: Program, environment: Environment): Config {
  const name = 'vendorctl'
  const toKey = (key: string) => `VENDORCTL_${key}`
  const config = {
    ...{bin: name, name, version, root, userAgent: `${name}/${version}`, topicSeparator: ':'},
    pjson: {name, version, oclif: {}},
    runHook: async () => ({successes: [], failures: []}),
    scopedEnvVarKey: toKey,
    scopedEnvVarKeys: (key: string) => [toKey(key)],
    scopedEnvVar: (key: string) => environment[toKey(key)],
  }
  return config as unknown as Config
}
