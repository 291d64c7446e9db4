import type {Config} from '@oclif/core'
import {exitCodeOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import type {Asked, CommandClass, CommandStart, Program} from '../app/program.js'
import {readFacts} from '../help/facts.js'
import {findStderrError, ignoreErrorsOfStderr} from '../terminal/error-output.js'
import {dataOutput, standardOutput} from '../terminal/output.js'
import {endWith, type Json, type Leave, prepareEndings, readJson, toEnding} from './endings.js'
import {toNoCommand, toUnexpectedArgument, toUnknownCommand, toUnknownSubject} from './unknown-command.js'
import {reportEnd, reportToWatcher} from './watched.js'

/**
 * Runs one command line. Resolves with the exit code once all output is written; a success whose messages could not be
 * written is `storage`.
 */
export async function main(args: string[], asked: Asked, program: Program, leave: Leave): Promise<number> {
  const json = readJson(args, asked)
  prepareEndings(json, leave)
  await reportToWatcher(json.environment)
  return withMessages(() => run(args, asked, program, json), json)
}

/** Prints the rest of a text that `print` could not, and reports why where this fails too. */
export async function printRest(bytes: Uint8Array): Promise<number> {
  ignoreErrorsOfStderr()
  return withMessages(() => standardOutput.write(bytes), readJson([]))
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

/** The work; rejects when the event loop is empty before it is done, as the process would then end with success. */
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
